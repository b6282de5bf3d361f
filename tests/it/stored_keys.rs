//! Stores: rows with composite keys, and references to them.

use mastor::types::Method;
use serde_json::json;

use crate::loaded::Service;
use crate::stores::answers;

const POM: &str = "<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>b</artifactId><version>1</version>\
    <dependencies><dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-data-jpa</artifactId></dependency>\
    <dependency><groupId>com.h2database</groupId><artifactId>h2</artifactId></dependency></dependencies></project>";

const ROOM: &str = "package a; import jakarta.persistence.*; import java.util.*;
@Entity public class Room {
  @Id private Integer id;
  private String name;
  @OneToMany(mappedBy = \"room\", cascade = CascadeType.ALL) private Set<Stay> stays;
  public Integer getId() { return id; } public String getName() { return name; }
}";

const STAY: &str = "package a; import jakarta.persistence.*; import com.fasterxml.jackson.annotation.JsonIgnore;
@Entity @IdClass(StayId.class) public class Stay {
  @Id @Column(name = \"room_id\") private Integer roomId;
  @Id private Integer night;
  private String guest;
  @JsonIgnore @ManyToOne(optional = false) @JoinColumn(name = \"room_id\", nullable = false, insertable = false, updatable = false) private Room room;
  public Integer getRoomId() { return roomId; } public Integer getNight() { return night; } public String getGuest() { return guest; }
  public Room getRoom() { return room; }
  public void setRoomId(Integer r) { roomId = r; } public void setNight(Integer n) { night = n; } public void setGuest(String g) { guest = g; }
}";

const STAY_ID: &str = "package a; import java.io.Serializable;
public class StayId implements Serializable {
  private Integer roomId; private Integer night;
  public StayId() { }
  public StayId(Integer roomId, Integer night) { this.roomId = roomId; this.night = night; }
}";

const CONTROLLER: &str = "package a; import java.util.*; import org.springframework.web.bind.annotation.*; import org.springframework.http.*;
@RestController public class Stays {
  private final StayRows stays; private final RoomRows rooms;
  public Stays(StayRows stays, RoomRows rooms) { this.stays = stays; this.rooms = rooms; }
  @GetMapping(\"/rooms/{room}/stays/{night}\") public ResponseEntity<String> one(@PathVariable Integer room, @PathVariable Integer night) {
    return stays.findById(new StayId(room, night)).map(stay -> ResponseEntity.ok(stay.getGuest() + \" in \" + stay.getRoom().getName()))
      .orElseGet(() -> ResponseEntity.notFound().build());
  }
  @PutMapping(\"/stays\") public Stay keep(@RequestBody Stay stay) { return stays.save(stay); }
  @DeleteMapping(\"/rooms/{room}\") public ResponseEntity<Long> remove(@PathVariable Integer room) {
    rooms.delete(rooms.findById(room).orElseThrow(() -> new IllegalStateException()));
    return ResponseEntity.ok(stays.count());
  }
}";

const DATA: &str = "insert into room (id, name) values (1, 'blue'), (2, 'red');
insert into stay (room_id, night, guest) values (1, 4, 'Ada'), (1, 5, 'Bob'), (2, 5, 'Cyd');";

fn service(stay: &str) -> Service {
    let rows = |name: &str, of: &str| {
        format!(
            "package a; import org.springframework.data.jpa.repository.*; public interface {name} extends JpaRepository<{of}> {{ }}"
        )
    };
    let (stays, rooms) = (rows("StayRows", "Stay, StayId"), rows("RoomRows", "Room, Integer"));
    Service::of([
        ("pom.xml", POM),
        ("src/main/resources/data.sql", DATA),
        ("src/main/java/a/Room.java", ROOM),
        ("src/main/java/a/Stay.java", stay),
        ("src/main/java/a/StayId.java", STAY_ID),
        ("src/main/java/a/StayRows.java", &stays),
        ("src/main/java/a/RoomRows.java", &rooms),
        ("src/main/java/a/Stays.java", CONTROLLER),
    ])
}

#[test]
fn rows_are_found_by_all_parts_of_their_key_and_go_with_what_holds_them() {
    let service = service(STAY);
    let found = answers(&service.derive(Method::Get, "/rooms/{room}/stays/{night}"));
    let text =
        |path: &str| found.iter().find(|(own, ..)| own == path).map(|(_, status, fields)| (*status, fields.clone()));
    // The path's parameters are listed by name: night, room.
    assert_eq!(text("4/1"), Some((200, vec![(String::new(), json!("Ada in blue"))])), "{found:#?}");
    assert!(found.iter().any(|(_, status, _)| *status == 404));
    let gone = answers(&service.derive(Method::Delete, "/rooms/{room}"));
    let first = gone.iter().find(|(path, ..)| path == "1").unwrap();
    assert_eq!((first.1, &first.2[0]), (200, &(String::new(), json!(1))), "{gone:#?}");
    let kept = service.derive(Method::Put, "/stays");
    assert!(kept.candidates.iter().any(|one| one.oracle.statuses() == [200]));
}

#[test]
fn rows_that_refer_to_one_another_and_go_together_leave_open_whether_they_may() {
    let (field, column) =
        ("@JsonIgnore @ManyToOne @JoinColumn(name = \"host_guest\") private Guest host;", "host_guest");
    let guest = format!(
        "package a; import jakarta.persistence.*; import com.fasterxml.jackson.annotation.JsonIgnore;
        @Entity public class Guest {{ @Id private Integer id; {field}
          @JsonIgnore @ManyToOne @JoinColumn(name = \"room_id\") private Room room; public Integer getId() {{ return id; }} }}"
    );
    let room = ROOM.replace("private Set<Stay> stays", "private Set<Guest> stays");
    let data = |host: &str| {
        format!(
            "insert into room (id, name) values (1, 'blue'); insert into guest (id, {column}, room_id) values (1, null, 1), (2, {host}, 1);"
        )
    };
    let answered = |host: &str| {
        let data = data(host);
        let rooms = "package a; import org.springframework.data.jpa.repository.*; public interface RoomRows extends JpaRepository<Room, Integer> { }";
        let controller = "package a; import org.springframework.web.bind.annotation.*;
            @RestController public class Rooms { private final RoomRows rooms; public Rooms(RoomRows rooms) { this.rooms = rooms; }
            @DeleteMapping(\"/rooms/{room}\") public void remove(@PathVariable Integer room) {
              rooms.delete(rooms.findById(room).orElseThrow(() -> new IllegalStateException())); } }";
        let service = Service::of([
            ("pom.xml", POM),
            ("src/main/resources/data.sql", &data),
            ("src/main/java/a/Room.java", &room),
            ("src/main/java/a/Guest.java", &guest),
            ("src/main/java/a/RoomRows.java", rooms),
            ("src/main/java/a/Rooms.java", controller),
        ]);
        let found = answers(&service.derive(Method::Delete, "/rooms/{room}"));
        found.iter().find(|(path, ..)| path == "1").map(|(_, status, _)| *status)
    };
    assert_eq!(answered("null"), Some(200));
    assert_eq!(answered("1"), None);
}

#[test]
fn a_key_whose_parts_are_rows_stays_open() {
    let odd = STAY.replace("@JsonIgnore @ManyToOne", "@Id @JsonIgnore @ManyToOne");
    let found = answers(&service(&odd).derive(Method::Get, "/rooms/{room}/stays/{night}"));
    assert!(found.iter().all(|(_, status, _)| *status == 400), "{found:#?}");
}
