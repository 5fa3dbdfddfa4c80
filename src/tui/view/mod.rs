//! `draw(&Model, &Theme, &mut Frame)`: one frame from the model, and nothing else. Only visible rows are looked at.

mod acting;
mod canvas;
mod checkup;
mod diff;
mod files;
mod footer;
mod form;
mod header;
mod help;
mod hits;
mod line;
mod notes;
mod rounds;
mod pick;

use ratatui::Frame;
use ratatui::layout::Rect;

use super::layout::MINIMUM;
use super::model::{Mode, Model};
use super::theme::{Role, Theme};
use canvas::Canvas;

/// Draw the model.
pub fn draw(model: &Model, theme: &Theme, frame: &mut Frame<'_>) {
    let model = model.above.as_deref().unwrap_or(model);
    let area = frame.area();
    let mut canvas = Canvas::new(frame.buffer_mut(), theme, model.display);
    canvas.clear(area);
    let Some(layout) = model.layout else { return too_small(&mut canvas, area) };
    header::draw(model, &mut canvas, layout.header);
    if let Some(area) = layout.files {
        files::draw(model, &mut canvas, area);
    }
    diff::draw_title(model, &mut canvas, layout.diff_title);
    diff::draw(model, &mut canvas, &layout);
    if let Some(pane) = layout.notes {
        notes::draw(model, &mut canvas, &layout, pane);
    }
    let cursor = layout.form.and_then(|area| form::draw(model, &mut canvas, area));
    let asked = footer::draw(model, &mut canvas, layout.footer);
    if let Mode::Help(at) = model.mode {
        help::draw(model, &mut canvas, area, at);
    } else if let Mode::Acting = model.mode {
        acting::draw(model, &mut canvas);
    } else if let Mode::Checkup = model.mode {
        checkup::draw(model, &mut canvas);
    } else if let Mode::Rounds = model.mode {
        rounds::draw(model, &mut canvas);
    } else if let Some(cursor) = pick::draw(model, &mut canvas).or(asked).or(cursor) {
        frame.set_cursor_position(cursor);
    }
}

fn too_small(canvas: &mut Canvas<'_>, area: Rect) {
    let text = format!("whymark needs {}x{}", MINIMUM.width, MINIMUM.height);
    let y = area.y + area.height / 2;
    canvas.put(area.x, y, area.width, &[(canvas.style(Role::Warning), &text)]);
}
