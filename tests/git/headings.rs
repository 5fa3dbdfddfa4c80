//! What stands behind the second `@@` of a hunk, in every language that git has rules for and by rules of the
//! configuration.

use bstr::ByteSlice;

use crate::support::Sandbox;

use super::situations::base;
use super::words::{document, of_document, of_git};

/// Lines of which some are headings in the language, some are not, and some are only nearly.
const LINES: &[(&str, &str)] = &[
    (
        "ada",
        "procedure Main is\n  Function F (X : Integer) return Integer is\nfunction G is new H (Integer);\nwith Ada.Text_IO;\n\
         package body P is\n   task type T;\nprotected Q is\nprocedure R renames S;\nprocedure T is separate;\nx := 1;\npackage P",
    ),
    (
        "bash",
        "name() {\n  spaced ( )  {\nfunction f {\nfunction g () {\nfunction h ((\nfunction i [[ -n x ]]\nfunction j() (\n\
         function k\necho name()\nfunction () {\nif true; then\nfunction l { # why\n\u{e9}t\u{e9}() {",
    ),
    (
        "bibtex",
        "@article{key,\n  @Book { other key,\n@string(x)\n  author = {A},\nemail a@b.c\n@misc{a-b_c:1, x}\n@comment{a#b}",
    ),
    (
        "cpp",
        "int main(void)\nlabel:\npublic:\nlabel: // why\n  static int f();\n::std::x y()\n  ::inner\nclass A : public B {\n\
         Type Class::method(int a) const {\n#define X 1\n}\nenum e { a,\nswitch: /* x */\ncase_label: x = 1;\n_private()",
    ),
    (
        "csharp",
        "namespace A.B\n  public class C : D {\n    private static async Task<int> Run(string[] a)\n    internal int X\n\
             return Foo(x)\n    if (a)\n    public override string ToString()\n  abstract partial class Z\n    using (x)\n\
             public virtual int[] Get(int a) \n  public record R(int A)\n      x = y;\n  struct S\n  enum E : byte",
    ),
    (
        "css",
        "body {\n.class:hover,\n  color: red;\n#Id > a\n:root {\n[data-x] {\n@media print {\nA:HOVER\n  .nested {\nfont: x;\nlast:",
    ),
    (
        "dts",
        "/ {\n/ { /* root */\n\tmemory@0 {\n\tlabel: node@1 {\n\treg = <1>;\n&ref {\n  #include <x>\n\tbool-property;\n/dts-v1/;\n_x",
    ),
    (
        "elixir",
        "defmodule A.B do\n  def f(x) do\n  defp g, do: 1\n  defmacro m(x)\n  test \"it\" do\n  defimpl P, for: X\n  defstruct [:a]\n\
           defprotocol Q do\n  @doc \"def x\"\n  define x\n  defdelegate d(x)",
    ),
    (
        "fortran",
        "      PROGRAM MAIN\n      program other\nC     SUBROUTINE COMMENT\n* SUBROUTINE STAR\n  ! function no\n\
               SUBROUTINE S(A)\n      module procedure mp\n      MODULE M\n      END SUBROUTINE S\n      integer function f(x)\n\
               BLOCK DATA B\n      call subroutine_x\n      print *, 'function f'\n      pure real function g(x)",
    ),
    (
        "fountain",
        "INT. HOUSE - DAY\next street\n.FORCED HEADING\n..not\nEST. SHOT\nint./ext. CAR\nI/E PLANE\nJOHN\nInterior\nint",
    ),
    (
        "golang",
        "package main\nfunc main() {\nfunc (r *T) M(a int) (b, c int)   {\ntype S struct {\ntype I interface{\ntype A int\n\
         \ttype local struct {   \nvar f = func() {\ntype (\n\tX struct{}\n\tfunc\ntype B struct { a interface {",
    ),
    (
        "html",
        "<h1>Title</h1>\n  <H2 class=\"a\">x</H2>\n<h7>no</h7>\n<p>text</p>\n<h3\n<header>x</header>\n<h6 >\n  <h4></h4> tail  ",
    ),
    (
        "java",
        "public class A {\n    public static void main(String[] args) {\n    private Map<String, List<X>> f(\n      foo();\n\
             return new X(\n      int x = g();\n    @Override\n    enum E {\n    <T extends Y> T gen(T a)\n  interface I \n\
             A() {\n    void m(int a) throws X {\n    for (int i\n    protected final class  B  \n    byte[] bytes(int n)",
    ),
    (
        "kotlin",
        "fun main() {\n  private fun f(x: Int): Int\nclass A(val x: Int)\n  override suspend fun g()\ninterface I\nval x = fun()\n\
         data class D(\nobject O {\n  fun <T> h()\n  Fun no()\nenum class E",
    ),
    (
        "markdown",
        "# One\n## Two ##\n   ### Three\n    #### code\n#hashtag\n####### seven\n###### six  \ntext # no\n#\ttab\nSetext\n=====\n#",
    ),
    (
        "matlab",
        "classdef A\nfunction y = f(x)\n  function g\n%% Cell\n%%% three\n## octave\n% comment\nx = 1;\n  %% indented\nfunctional x",
    ),
    (
        "objc",
        "@implementation A\n- (void)method:(int)x {\n+ (id)make;\n- (NSString *) name\nint f(int a)\nstatic void g(void) {\n\
         @end\n@interface B : C\n@protocol P <Q>\n  if (x) y(z)\nreturn f(x)\n  id x = y(z);\n@property x",
    ),
    (
        "pascal",
        "procedure P;\nfunction F: Integer;\nclass procedure Q;\ninterface\nimplementation\n  TFoo = class(TBar)\nTRec = record\n\
         constructor Create;\ndestructor Destroy; override;\ninitialization\nbegin\n  x := 1;\nfinalization\n  procedure no",
    ),
    (
        "perl",
        "package A::B;\nsub f {\nsub g($x, $y) : lvalue {\nsub h; # forward\n  sub nested {\nBEGIN {\nEND { # end\n=head1 NAME\n\
         =item x\nsub A'b {\nmy $x = sub {\nsub i { return 1 }\nUNITCHECK\nsub j : attr # c",
    ),
    (
        "php",
        "function f($x)\n  public static function g()\nclass A extends B {\n  abstract class C\nfinal class D\ninterface I\n\
         trait T {\n  enum E: string {\n$f = function () {\nclassic\n  private const X = 1;\n  abstract protected function h();",
    ),
    (
        "python",
        "class A:\n    def f(self):\n    async def g(self):\n  async  def h():\ndefinition = 1\nclass B(C):  # x  \n@decorator\n\
         print('def x')\n    async with x:\nclassy()\n    def long_name_that_goes_on_and_on(argument_number_one, argument_number_two, three):\n\
         def cut_behind_a_blank(argument_number_one, argument_number_two, three=4444444) -> None:",
    ),
    (
        "ruby",
        "class A < B\n  def f(x)\n  module M\nmodule N\nattr :def\n  def self.g\ndefine_method :x\nclass << self\nend\nclass",
    ),
    (
        "rust",
        "fn main() {\n    pub fn f(&self) -> u8 {\npub(crate) async fn g()\nstruct S;\nstruct T {\nimpl<T> A for B {\n\
         pub(in a::b) unsafe fn h()\nextern \"C\" fn i()\nconst fn j() {\nmacro_rules! m {\nmod tests {\nlet fn_x = 1;\n\
         type X = Y;\nuse a::b;\nunion U {\npub enum E {\ntrait Q: R {\nconst X: u8 = 1;\nasync move {\nfn k<T>() where T: X",
    ),
    (
        "scheme",
        "(define (f x)\n  (define-syntax m\n(define* (g))\n(module m racket\n(library (a b)\n(struct p (x y))\n(let ((x 1))\n\
         (defmethod (h))\n(deffoo x)\n(class* object% ()\n; (define c)\n(definitely x)\n(define/public (i))",
    ),
    (
        "tex",
        "\\section{One}\n\\subsection*{Two}\n  \\section{indented}\n\\chapter{C}\n\\part*{P}\n\\paragraph{no}\n\\subsubsection{x} y\n\\section[short]{long}",
    ),
    ("javascript", "function f() {\n  method() {\nclass A {\nconst x = () => {\n$jquery\n_private"),
    (
        "text",
        "caf\u{e9}\nx\u{ffff}y\nform feed \u{c}\nvertical\u{b}\nx  \nxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\u{e9}",
    ),
    ("unheard-of", "plain\n  indented\n$dollar\n1 number\n_x  "),
];

/// The document of `scope` has the headings that git gives its hunks, and the same files are binary.
#[track_caller]
fn check(name: &str, sandbox: &Sandbox, scope: &[&str], git: &[&str]) {
    let (ours, theirs) = (of_document(&document(sandbox, scope)), of_git(sandbox, git));
    assert_eq!(ours.len(), theirs.len(), "{name}");
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert_eq!(ours.header, theirs.header, "{name}");
        for (ours, theirs) in ours.headings().zip(theirs.headings()) {
            assert_eq!(ours.as_bstr(), theirs.as_bstr(), "{name}");
        }
        assert!(ours == theirs, "{name}: lines of {}", theirs.header);
    }
}

/// Every line of `lines` with lines below that are no heading anywhere, of which one is `middle`.
fn spread(lines: &str, middle: &str) -> String {
    let filler = "    1,\n".repeat(7);
    lines.lines().map(|line| format!("{line}\n{filler}    {middle},\n{filler}")).collect()
}

#[test]
fn every_language_has_the_headings_of_git() {
    let sandbox = base();
    let attributes = LINES.iter().map(|(language, _)| format!("*.{language} diff={language}\n")).collect::<String>();
    sandbox.write(".gitattributes", attributes);
    for middle in ["2", "3"] {
        for (language, lines) in LINES {
            sandbox.write(format!("unix.{language}"), spread(lines, middle));
            sandbox.write(format!("dos.{language}"), spread(lines, middle).replace('\n', "\r\n"));
        }
        sandbox.commit(middle);
    }
    check("committed", &sandbox, &["--commit"], &["diff", "HEAD^", "HEAD"]);
    for (language, lines) in LINES {
        sandbox.write(format!("unix.{language}"), spread(lines, "4"));
    }
    check("on disk", &sandbox, &["--unstaged"], &["diff"]);
    sandbox.git(&["add", "-A"]);
    check("staged", &sandbox, &["--staged"], &["diff", "--cached"]);
}

#[test]
fn configured_drivers_say_what_a_heading_and_what_binary_is() {
    let sandbox = base();
    sandbox.write(
        ".gitattributes",
        "*.ini diff=ini\n*.basic diff=basic\n*.py diff=python\n*.dat diff=dat\n*.off !diff\n*.bad diff=bad\n\
         [attr]note diff=markdown\n*.note note\n",
    );
    for (key, value) in [
        ("diff.ini.xfuncname", "!^\\[skip\n^\\[([^]\\]+)\\]"),
        ("diff.basic.funcname", "^\\(sub\\|function\\) *[a-z]\\{2,\\}"),
        ("diff.python.xfuncname", "^[[:space:]]*(lambda .*)$"),
        ("diff.dat.binary", "true"),
        ("diff.bad.textconv", "false"),
        ("diff.default.xfuncname", "^%.*"),
    ] {
        sandbox.git(&["config", key, value]);
    }
    let lines = "[one]\n[skip]\n[two] x\nsub ab\nfunction c\nsub  xyz()\n  lambda x\ndef f():\nplain\n%default\n# md";
    for middle in ["2", "3"] {
        for name in ["a.ini", "a.basic", "a.py", "a.dat", "a.off", "a.bad", "a.note", "a.other"] {
            sandbox.write(name, spread(lines, middle));
        }
        sandbox.commit(middle);
    }
    check("configured", &sandbox, &["--commit"], &["diff", "HEAD^", "HEAD"]);
}

#[test]
fn attributes_are_those_of_the_folder_and_above() {
    let sandbox = Sandbox::new();
    let lines = "def f():\n# md\nplain";
    let paths = ["a.x", "in/a.x", "in/deep/a.x", "out/a.x", "in/only/b.x"];
    sandbox.write("in/.gitattributes", "a.x diff=python\n");
    sandbox.write("in/deep/.gitattributes", "*.x diff=markdown\n");
    sandbox.write("out/.gitattributes", "*.x -diff\n");
    for middle in ["2", "3"] {
        paths.iter().for_each(|path| sandbox.write(path, spread(lines, middle)));
        sandbox.commit(middle);
    }
    check("folders", &sandbox, &["--commit"], &["diff", "HEAD^", "HEAD"]);
    paths.iter().for_each(|path| sandbox.write(path, spread(lines, "4")));
    std::fs::remove_file(sandbox.path("in/deep/.gitattributes")).unwrap();
    check("in the index only", &sandbox, &["--unstaged"], &["diff"]);
    sandbox.git(&["checkout", "-q", "."]);
    sandbox.write(".git/info/attributes", "/a.x binary\n");
    check("of the repository", &sandbox, &["--commit"], &["diff", "HEAD^", "HEAD"]);
    // A renamed file goes by its old name first.
    sandbox.git(&["mv", "in/deep/a.x", "moved.txt"]);
    sandbox.write("moved.txt", spread(lines, "4"));
    sandbox.git(&["add", "-A"]);
    check("renamed", &sandbox, &["--staged"], &["diff", "--cached"]);
}
