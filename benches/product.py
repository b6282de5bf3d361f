"""A made-up Java product for measuring plans of large repositories: many operations that share a base entity, a money class and a registry of commands.

    python3 benches/product.py FOLDER [FILES OPERATIONS]     # 5,000 files with 800 operations, as a repository of two commits

The second commit changes the money class, which every operation reaches. Then, in FOLDER, with and without a cache:

    /usr/bin/time -v mastor plan --since HEAD~1
"""

import subprocess
import sys
from pathlib import Path

ROOT = "src/main/java/com/example/product"


def write(folder: Path, package: str, name: str, body: str) -> None:
    path = folder / ROOT / package / f"{name}.java"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"package com.example.product.{package};\n\n{body}\n")


def shared(folder: Path) -> None:
    write(folder, "base", "Money", """public final class Money {
    private final long cents;
    private Money(long cents) { this.cents = cents; }
    public static Money of(long cents) { return new Money(cents); }
    public Money plus(Money other) { return of(cents + other.cents); }
    public long cents() { return cents; }
}""")
    write(folder, "base", "BaseEntity", """public abstract class BaseEntity<T extends BaseEntity<T>> {
    private Long id;
    private Money price = Money.of(0);
    public Long getId() { return id; }
    public Money getPrice() { return price; }
    @SuppressWarnings("unchecked") public T self() { return (T) this; }
    public T price(Money price) { this.price = price; return self(); }
    public abstract String describe();
}""")
    write(folder, "base", "Command", "public interface Command { String name(); Object run(Object input); }")
    write(folder, "base", "CommandRegistry", """import java.util.*;
import org.springframework.stereotype.Service;
@Service
public class CommandRegistry {
    private final Map<String, Command> commands = new HashMap<>();
    public CommandRegistry(List<Command> all) { for (Command one : all) { commands.put(one.name(), one); } }
    public Object run(String name, Object input) { return commands.get(name).run(input); }
}""")


def part(folder: Path, at: int) -> None:
    package = f"part{at % 50}"
    uses = "import com.example.product.base.*;\nimport org.springframework.stereotype.*;\n"
    write(folder, package, f"Entity{at}", f"""{uses}public class Entity{at} extends BaseEntity<Entity{at}> {{
    private String label = "{at}";
    public String getLabel() {{ return label; }}
    public void setLabel(String label) {{ this.label = label; }}
    public String describe() {{ return label + getPrice().cents(); }}
}}""")
    write(folder, package, f"Service{at}", f"""{uses}@Service
public class Service{at} {{
    private final Store{at} store;
    public Service{at}(Store{at} store) {{ this.store = store; }}
    public Entity{at} find(long id) {{ return store.load(id).price(Money.of(id).plus(Money.of({at}))); }}
    public String told(long id) {{ return find(id).describe(); }}
}}""")
    write(folder, package, f"Store{at}", f"""{uses}@Repository
public class Store{at} {{ public Entity{at} load(long id) {{ Entity{at} found = new Entity{at}(); found.setLabel("x" + id); return found; }} }}""")
    write(folder, package, f"Command{at}", f"""{uses}@Component
public class Command{at} implements Command {{
    private final Service{at} service;
    public Command{at}(Service{at} service) {{ this.service = service; }}
    public String name() {{ return "command{at}"; }}
    public Object run(Object input) {{ return service.told((Long) input); }}
}}""")


def controller(folder: Path, at: int, operations: range) -> None:
    methods = "\n".join(
        f'    @PostMapping("/op{n}/{{id}}") public Object op{n}(@PathVariable long id) {{ return registry.run("command{n}", id); }}'
        for n in operations
    )
    write(folder, "web", f"Controller{at}", f"""import com.example.product.base.*;
import org.springframework.web.bind.annotation.*;
@RestController @RequestMapping("/c{at}")
public class Controller{at} {{
    private final CommandRegistry registry;
    public Controller{at}(CommandRegistry registry) {{ this.registry = registry; }}
{methods}
}}""")


def main() -> None:
    folder = Path(sys.argv[1])
    files, operations = (int(sys.argv[2]), int(sys.argv[3])) if len(sys.argv) > 3 else (5000, 800)
    folder.mkdir(parents=True)
    controllers = max(1, operations // 10)
    shared(folder)
    for at in range(max(1, (files - controllers - 4) // 4)):
        part(folder, at)
    for at in range(controllers):
        controller(folder, at, range(at * 10, min(operations, at * 10 + 10)))
    (folder / "pom.xml").write_text("<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>product</artifactId><version>1</version></project>\n")
    git = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@example.com"]
    commit = lambda message: subprocess.run([*git, "commit", "-q", "-m", message], check=True)
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    subprocess.run([*git, "add", "-A"], check=True)
    commit("first")
    money = folder / ROOT / "base" / "Money.java"
    money.write_text(money.read_text().replace("return of(cents + other.cents)", "return of(other.cents + cents)"))
    subprocess.run([*git, "add", "-A"], check=True)
    commit("change what every operation reaches")


if __name__ == "__main__":
    main()
