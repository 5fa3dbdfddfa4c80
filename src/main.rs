//! The binary: hands its arguments to the library.

fn main() -> std::process::ExitCode {
    whymark::cli::main(std::env::args_os())
}
