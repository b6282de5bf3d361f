//! Oracles of small services with JPA's `EntityManager`, Querydsl queries, and JAX-RS resources that use them.

use mastor::types::Method;
use mastor::types::suite::assertion::Check;
use mastor::types::suite::input::Body;
use serde_json::json;

use crate::loaded::Service;
use crate::stores::answers;

const POM: &str = "<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>b</artifactId><version>1</version><dependencies>\
    <dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-data-jpa</artifactId></dependency>\
    <dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-jersey</artifactId></dependency>\
    <dependency><groupId>com.h2database</groupId><artifactId>h2</artifactId></dependency></dependencies></project>";

const SHELF: &str = "package a; import jakarta.persistence.*; import java.util.*;
@Entity public class Shelf {
  @Id @GeneratedValue(strategy = GenerationType.IDENTITY) Long id; String name;
  @OneToMany(mappedBy = \"shelf\") Set<Book> books = new HashSet<>();
  public Long getId() { return id; } public String getName() { return name; } public void setName(String n) { name = n; }
}";

const BOOK: &str = "package a; import jakarta.persistence.*; import com.fasterxml.jackson.annotation.JsonIgnore;
@Entity @NamedQuery(name = \"Book.long\", query = \"select b from Book b where b.pages > :least order by b.pages\") public class Book {
  @Id @GeneratedValue(strategy = GenerationType.IDENTITY) Long id; @Column(nullable = false) String title; int pages;
  @JsonIgnore @ManyToOne Shelf shelf;
  public Long getId() { return id; } public String getTitle() { return title; } public int getPages() { return pages; }
  public Shelf getShelf() { return shelf; }
  public void setId(Long id) { this.id = id; } public void setTitle(String t) { title = t; } public void setPages(int p) { pages = p; }
  @Override public int hashCode() { return 31 * title.hashCode() + shelf.hashCode(); }
  @Override public boolean equals(Object o) { return o instanceof Book && ((Book) o).title.equals(title); }
}";

const BASE: &str = "package a; import jakarta.persistence.*; import java.lang.reflect.ParameterizedType;
public abstract class Dao<T> {
  @PersistenceContext protected EntityManager em;
  private final Class<T> type;
  protected Dao() { this.type = (Class<T>) ((ParameterizedType) getClass().getGenericSuperclass()).getActualTypeArguments()[0]; }
  public T byId(Long id) { return em.find(type, id); }
  public void keep(T one) { em.persist(one); }
}";

const BOOKS: &str = "package a; import jakarta.persistence.*; import java.util.*; import org.springframework.stereotype.Repository;
@Repository public class Books extends Dao<Book> {
  public List<Book> on(String shelf) {
    return em.createQuery(\"select b from Book b join b.shelf s where s.name = :name order by b.title\", Book.class)
      .setParameter(\"name\", shelf).getResultList();
  }
  public Book titled(String title) {
    try { return em.createQuery(\"from Book where title = ?1\", Book.class).setParameter(1, title).getSingleResult(); }
    catch (NoResultException e) { return null; }
  }
  public List<Book> longest() { return em.createNamedQuery(\"Book.long\", Book.class).setParameter(\"least\", 100).setMaxResults(1).getResultList(); }
}";

const CONTROLLER: &str = "package a; import java.util.*; import org.springframework.web.bind.annotation.*; import org.springframework.http.*;
import org.springframework.transaction.annotation.Transactional;
@RestController @RequestMapping(\"/books\") public class BookController {
  private final Books books;
  public BookController(Books books) { this.books = books; }
  @GetMapping(\"/{id}\") public ResponseEntity<Book> one(@PathVariable Long id) {
    Book found = books.byId(id);
    return found == null ? ResponseEntity.notFound().build() : ResponseEntity.ok(found);
  }
  @GetMapping(\"/on/{shelf}\") public List<Book> on(@PathVariable String shelf) { return books.on(shelf); }
  @GetMapping(\"/longest\") public List<Book> longest() { return books.longest(); }
  @PostMapping(\"/outside\") public void outside(@RequestBody Book book) { books.keep(book); }
  @PostMapping @Transactional public ResponseEntity<Book> make(@RequestBody Book book) {
    books.keep(book);
    return ResponseEntity.status(HttpStatus.CREATED).body(book);
  }
}";

const DATA: &str = "insert into shelf (id, name) values (1, 'top');
insert into book (id, title, pages, shelf_id) values (11, 'Bees', 90, 1), (12, 'Ants', 120, 1), (13, 'Moss', 300, null);";

fn service(more: &[(&str, &str)]) -> Service {
    let mut files: Vec<(String, Vec<u8>)> =
        vec![("pom.xml".to_owned(), POM.into()), ("src/main/resources/data.sql".to_owned(), DATA.into())];
    for (name, text) in [("Shelf", SHELF), ("Book", BOOK), ("Dao", BASE), ("Books", BOOKS)].iter().chain(more) {
        files.push((format!("src/main/java/a/{name}.java"), (*text).into()));
    }
    Service::of(files)
}

#[test]
fn an_entity_manager_finds_rows_by_keys_and_queries() {
    let service = service(&[("BookController", CONTROLLER)]);
    let ants = json!({"id": 12, "title": "Ants", "pages": 120});
    let one = answers(&service.derive(Method::Get, "/books/{id}"));
    let found = one.iter().find(|(path, ..)| path == "12").unwrap();
    assert_eq!((found.1, found.2.last()), (200, Some(&("title".to_owned(), json!("Ants")))));
    assert!(one.iter().any(|(_, status, _)| *status == 404));
    let on = answers(&service.derive(Method::Get, "/books/on/{shelf}"));
    let top = on.iter().find(|(path, ..)| path == "top").unwrap();
    assert_eq!(top.2, [(String::new(), json!([ants.clone(), {"id": 11, "title": "Bees", "pages": 90}]))]);
    let longest = answers(&service.derive(Method::Get, "/books/longest"));
    assert_eq!(longest[0].2, [(String::new(), json!([ants]))]);
}

#[test]
fn what_is_kept_needs_a_transaction_and_is_found_again() {
    let service = service(&[("BookController", CONTROLLER)]);
    let outside = answers(&service.derive(Method::Post, "/books/outside"));
    assert!(outside.iter().any(|(_, status, _)| *status == 500), "{outside:?}");
    let made = service.derive(Method::Post, "/books");
    assert!(answers(&made).iter().any(|(_, status, _)| *status == 201));
    let steps: Vec<Vec<&str>> =
        made.sequences.iter().map(|(one, _)| one.steps.iter().map(|step| step.op_id.as_str()).collect()).collect();
    assert!(steps.contains(&vec!["POST /books", "GET /books/{id}"]), "{steps:?}");
}

#[test]
fn a_number_that_a_script_gave_may_be_taken() {
    let taken = DATA.replace("11, 'Bees'", "1, 'Bees'");
    let dir = "src/main/java/a";
    let files = [("Shelf", SHELF), ("Book", BOOK), ("Dao", BASE), ("Books", BOOKS), ("BookController", CONTROLLER)];
    let with = |pom: String| {
        let mut all: Vec<(String, Vec<u8>)> =
            files.iter().map(|(name, text)| (format!("{dir}/{name}.java"), (*text).into())).collect();
        all.push(("src/main/resources/data.sql".to_owned(), taken.clone().into()));
        all.push(("pom.xml".to_owned(), pom.into()));
        let derived = Service::of(all).derive(Method::Post, "/books");
        answers(&derived).iter().any(|(_, status, _)| *status == 201)
    };
    assert!(!with(POM.to_owned()));
    // Earlier releases of H2 generate keys after the highest inserted one.
    assert!(with(POM.replace("<artifactId>h2</artifactId>", "<artifactId>h2</artifactId><version>1.4.193</version>")));
}

const RESOURCE: &str = "package a; import jakarta.ws.rs.*; import jakarta.ws.rs.core.*; import java.net.URI; import java.util.*;
import org.springframework.stereotype.Component; import org.springframework.beans.factory.annotation.Autowired;
@Component @Path(\"/books\") @Produces(\"application/json\") public class BookResource {
  @Autowired Catalog catalog;
  @GET @Path(\"{title}\") public Book one(@PathParam(\"title\") String title) { return catalog.titled(title); }
  @GET @Path(\"on/{shelf}\") public List<Book> on(@PathParam(\"shelf\") String shelf) { return catalog.on(shelf); }
  @DELETE @Path(\"{title}\") public Response remove(@PathParam(\"title\") String title) { catalog.remove(title); return Response.noContent().build(); }
  @POST @Path(\"{title}\") public Response make(@PathParam(\"title\") String title, @FormParam(\"pages\") int pages) {
    catalog.make(title, pages);
    return Response.created(URI.create(\"/books/\" + title)).build();
  }
  @POST @Consumes(\"application/json\") public Response whole(Book book) {
    if (book == null || book.getTitle() == null) return Response.status(400).build();
    return Response.ok(book).build();
  }
}";

const CATALOG: &str = "package a; import jakarta.persistence.*; import java.util.*; import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional; import com.mysema.query.jpa.impl.*; import a.QBook; import a.QShelf;
@Repository public class Catalog {
  @PersistenceContext private EntityManager em;
  QBook book = QBook.book;
  public Book titled(String title) { return new JPAQuery(em).from(book).where(book.title.eq(title)).singleResult(book); }
  public List<Book> on(String name) {
    QShelf shelf = QShelf.shelf;
    JPAQuery query = new JPAQuery(em);
    query.from(book).innerJoin(book.shelf, shelf).where(shelf.name.eq(name).and(book.pages.gt(100)));
    return query.list(book);
  }
  @Transactional public void remove(String title) { em.remove(titled(title)); }
  @Transactional public void make(String title, int pages) { Book b = new Book(); b.setTitle(title); b.setPages(pages); em.persist(b); }
}";

#[test]
fn queries_of_querydsl_find_the_same_rows() {
    let service = service(&[("BookResource", RESOURCE), ("Catalog", CATALOG)]);
    let one = answers(&service.derive(Method::Get, "/books/{title}"));
    let found = one.iter().find(|(path, ..)| path == "Bees").unwrap();
    assert_eq!((found.1, &found.2[1]), (200, &("pages".to_owned(), json!(90))));
    assert!(one.iter().any(|(_, status, _)| *status == 204), "null is no content: {one:?}");
    let on = answers(&service.derive(Method::Get, "/books/on/{shelf}"));
    let top = on.iter().find(|(path, ..)| path == "top").unwrap();
    assert_eq!(top.2, [(String::new(), json!([{"id": 12, "title": "Ants", "pages": 120}]))]);
    let removed = answers(&service.derive(Method::Delete, "/books/{title}"));
    let status =
        |is_wanted: fn(&str) -> bool| removed.iter().find(|(path, ..)| is_wanted(path)).map(|(_, status, _)| *status);
    let is_there = |path: &str| ["Bees", "Ants", "Moss"].contains(&path);
    assert_eq!((status(is_there), status(|path| path == "sample")), (Some(204), Some(500)), "{removed:?}");
}

#[test]
fn forms_and_bodies_reach_resources() {
    let service = service(&[("BookResource", RESOURCE), ("Catalog", CATALOG)]);
    let made = service.derive(Method::Post, "/books/{title}");
    let created = made.candidates.iter().find(|one| one.oracle.statuses()[0] == 201).unwrap();
    assert!(matches!(&created.oracle.input.body, Some(Body::Form { form }) if form.len() == 1 && form[0].0 == "pages"));
    let place = created.oracle.assertions.iter().find_map(|assertion| match &assertion.check {
        Check::Header { name, expected: Some(value), .. } if name == "Location" => Some(value.clone()),
        _ => None,
    });
    assert!(place.unwrap().as_str().unwrap().contains("/books/sample"));
    // A field that is not a number is refused, and so is a malformed body.
    assert!(made.candidates.iter().any(|one| one.oracle.statuses()[0] == 400));
    let whole = service.derive(Method::Post, "/books");
    let statuses: Vec<u16> = whole.candidates.iter().map(|one| one.oracle.statuses()[0]).collect();
    assert!(statuses.contains(&200) && statuses.contains(&400), "{statuses:?}");
}
