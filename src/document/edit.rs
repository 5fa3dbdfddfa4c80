//! stub
#![allow(missing_docs)]
use super::*; use crate::text::edit::Edit;
#[derive(Debug,Clone)] pub struct NewNote {pub selector:Selector,pub kind:Kind,pub risk:Option<Risk>,pub confidence:Option<f64>,pub why:String,pub sources:Vec<String>,pub claims:Vec<String>,pub todos:Vec<String>,pub questions:Vec<String>,pub body:String}
#[derive(Debug,Clone,Copy,PartialEq,Eq)] pub enum Presence {All,Some,None}
pub fn append_note(_:&Document,_:usize,_:&NewNote)->Edit{todo!()}
pub fn presence(_:&Section,_:Selector)->Presence{todo!()}
