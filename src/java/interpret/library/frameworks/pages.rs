//! Models Spring Data's paging: page requests and the pages returned for them (`PageRequest`, `PageImpl`,
//! `SliceImpl`).

use super::sorts::{self, SORT};
use crate::interpret::engine::machine::{Eval, Machine};
use crate::interpret::library::LibraryCall;
use crate::interpret::library::base::contents::LOOSE;
use crate::interpret::library::base::support::{
    Answer, Fail, boolean, class_of, int, invoke, library_type, long, reference, settle, throw_with, truth,
};
use crate::interpret::values::scalar::{ClassRef, Scalar};
use crate::interpret::values::value::{Kind, Object, Value};
use crate::ir::body::BinaryOp;

/// The class of page requests.
pub const REQUEST: &str = "org.springframework.data.domain.PageRequest";
/// The class of pages with a known total number of rows.
pub const PAGE: &str = "org.springframework.data.domain.PageImpl";
/// The class of pages that only know whether there are more rows.
pub const SLICE: &str = "org.springframework.data.domain.SliceImpl";
const PAGEABLE: &str = "org.springframework.data.domain.Pageable";
const ABSTRACT: &str = "org.springframework.data.domain.Page";
const LIST: &str = "java.util.ArrayList";

/// The part that holds the number of elements of a page.
const COUNT: &str = "count";

/// A page request.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// Page number, from 0, and page size; `None` if all rows are requested.
    pub part: Option<(i32, i32)>,
    /// Sort properties, each with whether it is descending.
    pub order: Vec<(String, bool)>,
}

/// A page request as a value.
pub fn asked_for(machine: &mut Machine<'_>, request: &Request) -> Value {
    let sort = sorts::of(machine, &request.order);
    match request.part {
        Some((page, size)) => {
            machine.modelled(REQUEST, &[("page", Value::int(page)), ("size", Value::int(size)), ("sort", sort)])
        }
        None => machine.modelled(REQUEST, &[("sort", sort)]),
    }
}

/// A page request whose page number and size are symbolic inputs.
pub fn open_request(machine: &mut Machine<'_>, page: Value, size: Value) -> Value {
    machine.modelled(REQUEST, &[("page", page), ("size", size)])
}

/// The page request of a value; `None` if it is not one.
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

/// The rows of a page, before it becomes a value.
#[derive(Debug)]
pub struct PageRows {
    /// The list of elements; `None` if only their number is known.
    pub content: Option<Value>,
    /// Number of elements on the page.
    pub count: usize,
    /// The total number of rows; for a slice, whether more rows follow.
    pub whole: PageTotal,
}

/// Rows outside a page, as far as known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageTotal {
    /// The total number of rows.
    Total(i64),
    /// Whether more rows follow.
    More(bool),
}

/// A page as a value; `pageable` is null if no part was requested.
pub fn page(machine: &mut Machine<'_>, given: PageRows, pageable: Value) -> Value {
    let unknown = || Value::unknowable("which rows are on the page", library_type("java.util.List"));
    let content = given.content.unwrap_or_else(unknown);
    holding(machine, content, given.count, given.whole, pageable)
}

fn holding(machine: &mut Machine<'_>, content: Value, count: usize, whole: PageTotal, pageable: Value) -> Value {
    let count = Value::int(i32::try_from(count).unwrap_or(i32::MAX));
    let (class, name, known) = match whole {
        PageTotal::Total(total) => (PAGE, "total", Value::Scalar(Scalar::Long(total))),
        PageTotal::More(more) => (SLICE, "more", Value::bool(more)),
    };
    machine.modelled(class, &[("content", content), (COUNT, count), (name, known), ("pageable", pageable)])
}

/// A page that was read from a value.
#[derive(Debug, Clone)]
pub struct Page {
    /// The list of its elements.
    pub content: Value,
    /// Number of elements on the page.
    pub count: i64,
    /// Rows outside the page, as far as known.
    pub whole: PageTotal,
    /// The page request.
    pub request: Request,
    pageable: Value,
}

impl Page {
    /// Reads a page from a value; `None` for any other value.
    pub fn of(machine: &Machine<'_>, value: &Value) -> Option<Self> {
        let class = class_of(machine, value)?;
        let parts = &machine.object(reference(value)?).parts;
        let whole = match class {
            PAGE => PageTotal::Total(long(parts.get("total")?)?),
            SLICE => PageTotal::More(boolean(parts.get("more")?)?),
            _ => return None,
        };
        let pageable = parts.get("pageable")?.clone();
        let request = request(machine, &pageable).unwrap_or(Request { part: None, order: Vec::new() });
        let count = i64::from(int(parts.get(COUNT)?)?);
        Some(Self { content: parts.get("content")?.clone(), count, whole, request, pageable })
    }

    /// The page number, from 0.
    pub fn number(&self) -> i64 {
        self.request.part.map_or(0, |(page, _)| page.into())
    }

    /// The page size.
    pub fn size(&self) -> i64 {
        self.request.part.map_or(self.count, |(_, size)| size.into())
    }

    /// The number of pages; `None` for a slice.
    pub fn pages(&self) -> Option<i64> {
        let PageTotal::Total(total) = self.whole else { return None };
        Some(if self.size() == 0 { 1 } else { (total + self.size() - 1) / self.size() })
    }

    /// Whether there is a next page.
    pub fn has_next(&self) -> bool {
        match self.whole {
            PageTotal::More(more) => more,
            PageTotal::Total(_) => self.number() + 1 < self.pages().unwrap_or_default(),
        }
    }

    fn with(&self, machine: &mut Machine<'_>, items: Vec<Value>) -> Value {
        let (count, content) = (items.len(), list(machine, items));
        // Mapping elements of uncertain order results in elements of uncertain order.
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

/// Models a library call.
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

/// Models constructors and factory methods of page requests and pages.
fn made(machine: &mut Machine<'_>, call: &LibraryCall<'_>) -> Option<Answer> {
    Some(match (call.fqn, call.name, call.args) {
        (REQUEST, "of" | "<init>", [page, size, order @ ..]) => {
            let (Some(page), Some(size)) = (int(page), int(size)) else {
                return symbolic(machine, (page, size), order);
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
            let given = PageRows { count: items.len(), content: Some(content.clone()), whole: PageTotal::Total(total) };
            Ok(page(machine, given, Value::NULL))
        }
        (PAGE, "<init>", [content, pageable, total]) => {
            let (items, request) = (machine.given_items(content)?, request(machine, pageable)?);
            let (count, total) = (i64::try_from(items.len()).ok()?, long(total).or_else(|| int(total).map(i64::from))?);
            // If the request and the content show that this is the last page, the total is computed from them
            // (`PageImpl`).
            let total = match request.part {
                Some((page, size)) if count > 0 && i64::from(page) * i64::from(size) + i64::from(size) > total => {
                    i64::from(page) * i64::from(size) + count
                }
                _ => total,
            };
            let given = PageRows { count: items.len(), content: Some(content.clone()), whole: PageTotal::Total(total) };
            Ok(page(machine, given, pageable.clone()))
        }
        (SLICE, "<init>", [content, pageable, more]) => {
            let items = machine.given_items(content)?;
            request(machine, pageable)?;
            let whole = PageTotal::More(boolean(more)?);
            let given = PageRows { count: items.len(), content: Some(content.clone()), whole };
            Ok(page(machine, given, pageable.clone()))
        }
        (ABSTRACT, "empty", args @ ([] | [_])) => {
            let pageable = args.first().cloned().unwrap_or(Value::NULL);
            let given = PageRows { count: 0, content: Some(list(machine, Vec::new())), whole: PageTotal::Total(0) };
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

/// A page request with symbolic page number and size: only whether they are in range is decided.
fn symbolic(machine: &mut Machine<'_>, (page, size): (&Value, &Value), order: &[Value]) -> Option<Answer> {
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
    // Two revisions are compared by what each asks for.
    let sort = match order {
        [] => Some(sorts::of(machine, &[])),
        [sort @ (Value::Ref(_) | Value::Symbol(_))] => Some(sort.clone()),
        _ => None,
    };
    if let Some(sort) = sort.filter(|_| machine.is_compared()) {
        let parts = [("page", page.clone()), ("size", size.clone()), ("sort", sort)];
        return Some(Ok(machine.modelled(REQUEST, &parts)));
    }
    Some(Ok(Value::unknowable("which page is asked for", library_type(REQUEST))))
}

fn refused(machine: &mut Machine<'_>, message: &str) -> Answer {
    let message = match message.ends_with("null") {
        true => machine.fresh_text(message),
        // The message text differs between releases.
        false => Value::unknown("message of the framework", crate::interpret::values::value::Type::Str),
    };
    Err(throw_with(machine, "java.lang.IllegalArgumentException", message))
}

/// Models calls on a page request with symbolic page number and size.
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
        ("getSort", []) => match parts.get("sort") {
            Some(sort) => sort.clone(),
            None => Value::unknowable("how rows are to be sorted", library_type(SORT)),
        },
        _ => return None,
    })
}

/// Models calls on a page request.
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
            crate::interpret::library::functions::optional::of(machine, "java.util.Optional", value)
        }
        _ => return None,
    }))
}

/// Models calls on a page.
fn of_page(machine: &mut Machine<'_>, call: &LibraryCall<'_>, page: &Page) -> Option<Eval> {
    let number = |number: i64| Value::int(i32::try_from(number).unwrap_or(i32::MAX));
    Some(Ok(match (call.name, call.args) {
        ("getContent" | "toList", []) => page.content.clone(),
        ("getTotalElements", []) => match page.whole {
            PageTotal::Total(total) => Value::Scalar(Scalar::Long(total)),
            PageTotal::More(_) => return None,
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

/// The list that a loop over a page or a sort iterates: its elements, or its orders.
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
