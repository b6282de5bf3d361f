//! Spring Data's pages: which part of the rows is asked for, and what is given of it (`PageRequest`, `PageImpl`, `SliceImpl`).

use super::sorts::{self, SORT};
use crate::java::body::BinaryOp;
use crate::java::interpret::library::LibraryCall;
use crate::java::interpret::library::contents::LOOSE;
use crate::java::interpret::library::support::{
    Answer, Fail, boolean, class_of, int, invoke, library_type, long, reference, settle, throw_with, truth,
};
use crate::java::interpret::machine::{Eval, Machine};
use crate::java::interpret::scalar::{ClassRef, Scalar};
use crate::java::interpret::value::{Kind, Object, Value};

/// What asks for a page.
pub const REQUEST: &str = "org.springframework.data.domain.PageRequest";
/// A page that knows how many rows there are.
pub const PAGE: &str = "org.springframework.data.domain.PageImpl";
/// A page that knows whether there are more.
pub const SLICE: &str = "org.springframework.data.domain.SliceImpl";
const PAGEABLE: &str = "org.springframework.data.domain.Pageable";
const ABSTRACT: &str = "org.springframework.data.domain.Page";
const LIST: &str = "java.util.ArrayList";

/// The part of a list of which only the length is known.
const COUNT: &str = "count";

/// What is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The number of the page, from 0, and how many elements one has; `None` where all are asked for.
    pub part: Option<(i32, i32)>,
    /// By which properties, each with whether downwards.
    pub order: Vec<(String, bool)>,
}

/// A request for a page as a value.
pub fn asked_for(machine: &mut Machine<'_>, request: &Request) -> Value {
    let sort = sorts::of(machine, &request.order);
    match request.part {
        Some((page, size)) => {
            machine.modelled(REQUEST, &[("page", Value::int(page)), ("size", Value::int(size)), ("sort", sort)])
        }
        None => machine.modelled(REQUEST, &[("sort", sort)]),
    }
}

/// A request for a page whose numbers are open inputs.
pub fn open_request(machine: &mut Machine<'_>, page: Value, size: Value) -> Value {
    machine.modelled(REQUEST, &[("page", page), ("size", size)])
}

/// What a value asks for; `None` where it is no request for a page.
pub fn request(machine: &Machine<'_>, value: &Value) -> Option<Request> {
    if class_of(machine, value)? != REQUEST {
        return None;
    }
    let parts = &machine.object(reference(value)?).parts;
    let order = sorts::orders_of(machine, parts.get("sort")?)?;
    let part = match (parts.get("page"), parts.get("size")) {
        (Some(page), Some(size)) => Some((int(page)?, int(size)?)),
        _ => None,
    };
    Some(Request { part, order })
}

/// What is given of rows.
#[derive(Debug)]
pub struct Given {
    /// The list of the elements; `None` where only their number is known.
    pub content: Option<Value>,
    /// How many elements there are on it.
    pub count: usize,
    /// How many rows there are in all; of a slice whether there are more behind it.
    pub whole: Whole,
}

/// What is known of the rows behind a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whole {
    /// How many there are in all.
    Total(i64),
    /// Whether there are more.
    More(bool),
}

/// A page as a value; `pageable` is null where nobody asked for a part.
pub fn page(machine: &mut Machine<'_>, given: Given, pageable: Value) -> Value {
    let unknown = || Value::unknowable("which rows are on the page", library_type("java.util.List"));
    let content = given.content.unwrap_or_else(unknown);
    holding(machine, content, given.count, given.whole, pageable)
}

fn holding(machine: &mut Machine<'_>, content: Value, count: usize, whole: Whole, pageable: Value) -> Value {
    let count = Value::int(i32::try_from(count).unwrap_or(i32::MAX));
    let (class, name, known) = match whole {
        Whole::Total(total) => (PAGE, "total", Value::Scalar(Scalar::Long(total))),
        Whole::More(more) => (SLICE, "more", Value::bool(more)),
    };
    machine.modelled(class, &[("content", content), (COUNT, count), (name, known), ("pageable", pageable)])
}

/// A page as it is read: its content, and its numbers.
#[derive(Debug, Clone)]
pub struct Page {
    /// The list of its elements.
    pub content: Value,
    /// How many elements there are on it.
    pub count: i64,
    /// What is known of the rows behind it.
    pub whole: Whole,
    /// What was asked for.
    pub request: Request,
    pageable: Value,
}

impl Page {
    /// Reads a page; `None` for anything else.
    pub fn of(machine: &Machine<'_>, value: &Value) -> Option<Self> {
        let class = class_of(machine, value)?;
        let parts = &machine.object(reference(value)?).parts;
        let whole = match class {
            PAGE => Whole::Total(long(parts.get("total")?)?),
            SLICE => Whole::More(boolean(parts.get("more")?)?),
            _ => return None,
        };
        let pageable = parts.get("pageable")?.clone();
        let request = request(machine, &pageable).unwrap_or(Request { part: None, order: Vec::new() });
        let count = i64::from(int(parts.get(COUNT)?)?);
        Some(Self { content: parts.get("content")?.clone(), count, whole, request, pageable })
    }

    /// The number of the page, from 0.
    pub fn number(&self) -> i64 {
        self.request.part.map_or(0, |(page, _)| page.into())
    }

    /// How many elements a page has.
    pub fn size(&self) -> i64 {
        self.request.part.map_or(self.count, |(_, size)| size.into())
    }

    /// How many pages there are; `None` for a slice.
    pub fn pages(&self) -> Option<i64> {
        let Whole::Total(total) = self.whole else { return None };
        Some(if self.size() == 0 { 1 } else { (total + self.size() - 1) / self.size() })
    }

    /// Whether there is a page behind it.
    pub fn has_next(&self) -> bool {
        match self.whole {
            Whole::More(more) => more,
            Whole::Total(_) => self.number() + 1 < self.pages().unwrap_or_default(),
        }
    }

    fn with(&self, machine: &mut Machine<'_>, items: Vec<Value>) -> Value {
        let (count, content) = (items.len(), list(machine, items));
        // What came in no certain order has none now.
        let loose = reference(&self.content).and_then(|own| machine.object(own).parts.get(LOOSE).cloned());
        if let (Some(loose), Some(id)) = (loose, reference(&content)) {
            machine.object_mut(id).parts.insert(LOOSE, loose);
        }
        holding(machine, content, count, self.whole, self.pageable.clone())
    }
}

fn list(machine: &mut Machine<'_>, items: Vec<Value>) -> Value {
    let object = Object::new(ClassRef::library(LIST), Kind::List { items, fixed: false });
    Value::Ref(machine.allocate(object))
}

/// The model.
pub fn call(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Eval> {
    match call.receiver {
        None => made(machine, call).map(|answer| settle(machine, call, answer)),
        Some(own) => match Page::of(machine, own) {
            Some(page) => of_page(machine, call, &page),
            None => match request(machine, own) {
                Some(request) => of_request(machine, call, own, &request).map(|answer| settle(machine, call, answer)),
                None => of_open(machine, call, own).map(Ok),
            },
        },
    }
}

/// What is made: requests and pages.
fn made(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    Some(match (call.fqn, call.name, call.args) {
        (REQUEST, "of" | "<init>", [page, size, order @ ..]) => {
            let (Some(page), Some(size)) = (int(page), int(size)) else {
                return symbolic(machine, page, size);
            };
            let order = match order {
                [] => Vec::new(),
                [Value::Scalar(Scalar::Null)] => {
                    return Some(refused(machine, "Sort must not be null"));
                }
                [sort @ Value::Ref(_)] => sorts::orders_of(machine, sort)?,
                [direction, names @ ..] => sorts::by(machine, direction, names)?,
            };
            request_of(machine, page, size, order)
        }
        (REQUEST | PAGEABLE, "ofSize", [size]) => request_of(machine, 0, int(size)?, Vec::new()),
        (PAGEABLE, "unpaged", []) => Ok(asked_for(machine, &Request { part: None, order: Vec::new() })),
        (PAGE, "<init>", [content]) => {
            let items = machine.given_items(content)?;
            let total = i64::try_from(items.len()).ok()?;
            let given = Given { count: items.len(), content: Some(content.clone()), whole: Whole::Total(total) };
            Ok(page(machine, given, Value::NULL))
        }
        (PAGE, "<init>", [content, pageable, total]) => {
            let (items, request) = (machine.given_items(content)?, request(machine, pageable)?);
            let (count, total) = (i64::try_from(items.len()).ok()?, long(total).or_else(|| int(total).map(i64::from))?);
            // What the last page holds is believed more than what is said of the whole (`PageImpl`).
            let total = match request.part {
                Some((page, size)) if count > 0 && i64::from(page) * i64::from(size) + i64::from(size) > total => {
                    i64::from(page) * i64::from(size) + count
                }
                _ => total,
            };
            let given = Given { count: items.len(), content: Some(content.clone()), whole: Whole::Total(total) };
            Ok(page(machine, given, pageable.clone()))
        }
        (SLICE, "<init>", [content, pageable, more]) => {
            let items = machine.given_items(content)?;
            request(machine, pageable)?;
            let whole = Whole::More(boolean(more)?);
            let given = Given { count: items.len(), content: Some(content.clone()), whole };
            Ok(page(machine, given, pageable.clone()))
        }
        (ABSTRACT, "empty", args @ ([] | [_])) => {
            let pageable = args.first().cloned().unwrap_or(Value::NULL);
            let given = Given { count: 0, content: Some(list(machine, Vec::new())), whole: Whole::Total(0) };
            Ok(page(machine, given, pageable))
        }
        _ => return None,
    })
}

fn request_of(machine: &mut Machine<'_>, page: i32, size: i32, order: Vec<(String, bool)>) -> Answer {
    if page < 0 {
        return refused(machine, "Page index must not be less than zero");
    }
    if size < 1 {
        return refused(machine, "Page size must not be less than one");
    }
    Ok(asked_for(machine, &Request { part: Some((page, size)), order }))
}

/// A request with numbers of which only the bounds are decided.
fn symbolic(machine: &mut Machine<'_>, page: &Value, size: &Value) -> Option<Answer> {
    let is_open = |value: &Value| matches!(value, Value::Symbol(_)) || int(value).is_some();
    if !is_open(page) || !is_open(size) {
        return None;
    }
    for (number, least) in [(page, 0), (size, 1)] {
        let below = match machine.binary(BinaryOp::Lt, number.clone(), Value::int(least)) {
            Ok(below) => truth(machine, &below),
            Err(stop) => Err(Fail::Stop(stop)),
        };
        match below {
            Ok(true) => return Some(refused(machine, "Page index or size is too small")),
            Ok(false) => {}
            Err(fail) => return Some(Err(fail)),
        }
    }
    Some(Ok(Value::unknowable("which page is asked for", library_type(REQUEST))))
}

fn refused(machine: &mut Machine<'_>, message: &str) -> Answer {
    let message = match message.ends_with("null") {
        true => machine.fresh_text(message),
        // Its words differ between releases.
        false => Value::unknown("message of the framework", crate::java::interpret::value::Type::Str),
    };
    Err(throw_with(machine, "java.lang.IllegalArgumentException", message))
}

/// What a request for a page says whose numbers are open inputs.
fn of_open(machine: &Machine<'_>, call: &LibraryCall<'_>, own: &Value) -> Option<Value> {
    if class_of(machine, own)? != REQUEST {
        return None;
    }
    let parts = &machine.object(reference(own)?).parts;
    Some(match (call.name, call.args) {
        ("getPageNumber", []) => parts.get("page")?.clone(),
        ("getPageSize", []) => parts.get("size")?.clone(),
        ("isPaged", []) => Value::bool(true),
        ("isUnpaged", []) => Value::bool(false),
        ("getSort", []) => Value::unknowable("how rows are to be sorted", library_type(SORT)),
        _ => return None,
    })
}

/// What a request for a page says.
fn of_request(machine: &mut Machine<'_>, call: &LibraryCall<'_>, own: &Value, request: &Request) -> Option<Answer> {
    let again = |machine: &mut Machine<'_>, page: i32| {
        let (_, size) = request.part?;
        Some(Ok(asked_for(machine, &Request { part: Some((page, size)), order: request.order.clone() })))
    };
    Some(Ok(match (call.name, call.args, request.part) {
        ("isPaged", [], part) => Value::bool(part.is_some()),
        ("isUnpaged", [], part) => Value::bool(part.is_none()),
        ("getPageNumber", [], Some((page, _))) => Value::int(page),
        ("getPageSize", [], Some((_, size))) => Value::int(size),
        ("getOffset", [], Some((page, size))) => Value::Scalar(Scalar::Long(i64::from(page) * i64::from(size))),
        ("hasPrevious", [], Some((page, _))) => Value::bool(page > 0),
        ("getSort", [], _) => sorts::of(machine, &request.order),
        ("next", [], Some((page, _))) => return again(machine, page.checked_add(1)?),
        ("previousOrFirst", [], Some((page, _))) => return again(machine, (page - 1).max(0)),
        ("first", [], Some(_)) => return again(machine, 0),
        ("withPage", [page], Some(_)) => return again(machine, int(page).filter(|page| *page >= 0)?),
        ("withSort", [sort], part) => {
            let order = sorts::orders_of(machine, sort)?;
            asked_for(machine, &Request { part, order })
        }
        ("withSort", [direction, names @ ..], part) => {
            let order = sorts::by(machine, direction, names)?;
            asked_for(machine, &Request { part, order })
        }
        ("toOptional", [], part) => {
            let value = if part.is_some() { own.clone() } else { Value::NULL };
            crate::java::interpret::library::optional::of(machine, "java.util.Optional", value)
        }
        _ => return None,
    }))
}

/// What a page says.
fn of_page(machine: &mut Machine<'_>, call: &LibraryCall<'_>, page: &Page) -> Option<Eval> {
    let number = |number: i64| Value::int(i32::try_from(number).unwrap_or(i32::MAX));
    Some(Ok(match (call.name, call.args) {
        ("getContent" | "toList", []) => page.content.clone(),
        ("getTotalElements", []) => match page.whole {
            Whole::Total(total) => Value::Scalar(Scalar::Long(total)),
            Whole::More(_) => return None,
        },
        ("getTotalPages", []) => number(page.pages()?),
        ("getNumber", []) => number(page.number()),
        ("getSize", []) => number(page.size()),
        ("getNumberOfElements", []) => number(page.count),
        ("hasContent", []) => Value::bool(page.count > 0),
        ("isEmpty", []) => Value::bool(page.count == 0),
        ("hasNext", []) => Value::bool(page.has_next()),
        ("hasPrevious", []) => Value::bool(page.number() > 0),
        ("isFirst", []) => Value::bool(page.number() == 0),
        ("isLast", []) => Value::bool(!page.has_next()),
        ("getSort", []) => sorts::of(machine, &page.request.order),
        ("getPageable", []) if !page.pageable.is_null() => page.pageable.clone(),
        ("map", [function]) => {
            let items = machine.given_items(&page.content)?;
            let mut mapped = Vec::with_capacity(items.len());
            for item in items {
                match invoke(machine, function, "apply", vec![item]) {
                    Ok(value) => mapped.push(value),
                    fail => return Some(settle(machine, call, fail)),
                }
            }
            page.with(machine, mapped)
        }
        ("forEach" | "iterator" | "stream" | "spliterator", args) => {
            return Some(machine.call_library(LIST, call.name, Some(page.content.clone()), args.to_vec()));
        }
        _ => return None,
    }))
}

/// What is gone through where code goes through a page or a sort: its elements, or its orders.
pub fn listed(machine: &mut Machine<'_>, value: &Value) -> Option<Value> {
    match class_of(machine, value)? {
        PAGE | SLICE => Page::of(machine, value).map(|page| page.content),
        SORT => {
            let orders = sorts::each(machine, value)?;
            Some(list(machine, orders))
        }
        _ => None,
    }
}
