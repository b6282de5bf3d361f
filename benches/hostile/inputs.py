"""Inputs that are broken, huge, or made to exhaust a reader: each is a name and the files of a small service that carries it."""

PACKAGE = "com.example"
ROOT = "src/main/java/com/example/"
HEAD = "package com.example;\nimport java.util.*;\nimport org.springframework.web.bind.annotation.*;\nimport javax.validation.Valid;\nimport javax.validation.constraints.*;\n"
POM = """<project><modelVersion>4.0.0</modelVersion><groupId>com.example</groupId><artifactId>a</artifactId><version>1</version>
<parent><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId><version>2.7.18</version></parent>
<dependencies><dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-web</artifactId></dependency></dependencies></project>
"""
PLAIN = '@GetMapping("/plain/{n}") public int plain(@PathVariable int n) { return n + 1; }\n'


def java(body, more=""):
    """A controller with these members, and these further types in its file."""
    return {"pom.xml": POM, ROOT + "Api.java": f"{HEAD}@RestController\npublic class Api {{\n{PLAIN}{body}\n}}\n{more}\n"}


def get(statements, params="@RequestParam int n", result="Object"):
    return java(f'@GetMapping("/hostile") public {result} hostile({params}) {{ {statements} }}')


def post(ty, more):
    return java(f'@PostMapping("/hostile") public Object hostile(@Valid @RequestBody {ty} body) {{ return body; }}', more)


def document(text, name="openapi.json"):
    return {**java(""), name: text}


def api(paths, schemas="{}"):
    return document('{"openapi":"3.0.0","info":{"title":"t","version":"1"},"paths":%s,"components":{"schemas":%s}}' % (paths, schemas))


BODY = '{"/hostile":{"post":{"requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/A"}}}},"responses":{"200":{"description":"d"}}}}}'


def body_of(schemas):
    files = api(BODY, schemas)
    files[ROOT + "Api.java"] = files[ROOT + "Api.java"].replace(PLAIN, PLAIN + '@PostMapping("/hostile") public Object hostile(@RequestBody Map<String, Object> body) { return body.get("a"); }\n')
    return files


def with_files(**files):
    return {**java(""), **files}


def nested(open_, close, depth, middle=""):
    return open_ * depth + middle + close * depth


def inputs():
    """Every input, in the order of the table."""
    fields = lambda n, of="@NotNull @Size(min = 1, max = 9) private String": "".join(f"{of} f{i}; public String getF{i}() {{ return f{i}; }}\n" for i in range(n))
    yield "a class with a @Valid field of its own type", post("Node", "class Node { @Valid @NotNull public Node next; public int n; }")
    yield "a list that holds itself, hashed", get("List<Object> l = new ArrayList<>(); l.add(l); return l.hashCode();")
    yield "a map that holds itself, as text", get("Map<String, Object> m = new HashMap<>(); m.put(\"a\", m); m.put(\"b\", List.of(m)); return m.toString();")
    yield "Lombok's text over a cycle", java('@GetMapping("/hostile") public String hostile() { A a = new A(); a.b = new B(); a.b.a = a; return a.toString(); }', "@lombok.Data class A { B b; }\n@lombok.Data class B { A a; }")
    yield "a list that doubles 60 times", get("List<Integer> l = new ArrayList<>(); l.add(n); for (int i = 0; i < 60; i++) l.addAll(l); return l.size();")
    yield "a text that doubles 60 times", get('String s = "a"; for (int i = 0; i < 60; i++) s += s; return s.length();')
    yield "a builder that doubles 60 times", get('StringBuilder s = new StringBuilder("a"); for (int i = 0; i < 60; i++) s.append(s); return s.length();')
    yield "a loop without an end", get("while (n != 7) { n = n + 2 - 2; } return n;")
    yield "recursion without an end", java('@GetMapping("/hostile") public int hostile(@RequestParam int n) { return f(n); } int f(int n) { return f(n + 1) + 1; }')
    yield "two methods that call one another without an end", java('@GetMapping("/hostile") public int hostile(@RequestParam int n) { return f(n); } int f(int n) { return g(n) + 1; } int g(int n) { return f(n) - 1; }')
    yield "recursion that calls itself twice", java('@GetMapping("/hostile") public int hostile(@RequestParam int n) { return fib(90); } int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }')
    yield "an array of two thousand million", get("int[] a = new int[Integer.MAX_VALUE - 8]; return a.length;")
    yield "arrays in arrays of a million million", get("long[][] a = new long[1000000][1000000]; return a.length;")
    yield "a text repeated two thousand million times", get('return "abc".repeat(Integer.MAX_VALUE / 4).length();')
    yield "a format of two thousand million columns", get('return String.format("%2000000000d", n);')
    yield "a pattern that takes 2^n steps", get('return "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!".matches("(a+)+$");')
    yield "a power of a hundred million digits", get("return java.math.BigInteger.TEN.pow(100000000).bitLength();")
    yield "a decimal scaled to a thousand million digits", get('return new java.math.BigDecimal("1").setScale(1000000000).toPlainString().length();')
    yield "a stream without an end", get("return java.util.stream.Stream.iterate(1, i -> i + 1).map(i -> i * 2).filter(i -> i < 0).findFirst();")
    yield "a hundred million steps over a range", get("return java.util.stream.LongStream.range(0, 100000000000L).sum();")
    yield "10,000 parentheses", get(f"return {nested('(', ')', 10000, 'n')};")
    yield "2,000 blocks in one another", get(f"{nested('if (n > 0) { ', '}', 2000)} return n;")
    yield "5,000 texts added", get("return " + " + ".join(f'"{i}"' for i in range(5000)) + ";")
    yield "5,000 calls in a chain", get("return new StringBuilder()" + ".append(n)" * 5000 + ".toString();")
    yield "20,000 statements", get("int a = n;" + "a = a * 31 + 7;" * 20000 + "return a;")
    yield "2,000 conditions on one parameter", get("int a = 0;" + "".join(f"if (n % {i + 2} == 0) a += {i};" for i in range(2000)) + "return a;")
    yield "60 conditions on 60 parameters", get("int a = 0;" + "".join(f"if (p{i} > {i}) a += {i};" for i in range(60)) + "return a;", ", ".join(f"@RequestParam int p{i}" for i in range(60)))
    yield "a switch of 5,000 cases", get("switch (n) {" + "".join(f"case {i}: return {i * 7};" for i in range(5000)) + "default: return 0; }")
    yield "200 lambdas in one another", get("java.util.function.Supplier<Object> s = " + nested("() -> (java.util.function.Supplier<Object>) ", "", 200, "() -> n") + "; return s.get();")
    yield "a body of 400 fields", post("Big", f"class Big {{ {fields(400)} }}")
    yield "a body nested 200 deep", post("D0", "".join(f"class D{i} {{ @Valid @NotNull public D{i + 1} d; @Size(max = 3) public String s; }}\n" for i in range(200)) + "class D200 { public int n; }")
    yield "a body of 12 fields of 12 fields, five deep", post("W0", "".join(f"class W{i} {{ " + "".join(f"@Valid public W{i + 1} f{j}; " for j in range(12)) + "}\n" for i in range(5)) + "class W5 { public int n; }")
    yield "2,000 classes below one another", java('@GetMapping("/hostile") public Object hostile() { return new C1999().n(); }', "class C0 { int n() { return 1; } }\n" + "".join(f"class C{i} extends C{i - 1} {{ int n() {{ return super.n(); }} }}\n" for i in range(1, 2000)))
    yield "a class above itself", java('@GetMapping("/hostile") public Object hostile(@RequestBody A a) { return a.n(); }', "class A extends B { }\nclass B extends A { int n() { return 1; } }\ninterface I extends J { }\ninterface J extends I { }")
    yield "generics bounded by one another", post("A<?>", "class A<T extends B<T>> { public T t; }\nclass B<T extends A<? super B<T>>> { public A<? extends B<?>> a; }")
    yield "constants that are one another", java('static final int A = B + 1; static final int B = A + 1; static final String P = "/" + Q; static final String Q = P + "/";\n@GetMapping(P) public int hostile() { return A; }')
    yield "an enum of 5,000 constants", java('@GetMapping("/hostile") public Object hostile(@RequestParam E e) { return E.valueOf(e.name()).ordinal(); }', "enum E { " + ", ".join(f"K{i}" for i in range(5000)) + " }")
    yield "5,000 methods of one class", java("".join(f"int m{i}(int n) {{ return m{(i + 1) % 5000}(n); }}\n" for i in range(5000)) + '@GetMapping("/hostile") public int hostile(@RequestParam int n) { return m0(n); }')
    yield "a file of 3 MB", java("".join(f'static String t{i}() {{ return "{"x" * 200}"; }}\n' for i in range(13000)))
    yield "a file of NUL bytes", with_files(**{ROOT + "Nul.java": b"\0" * 100000})
    yield "a file that is no UTF-8", with_files(**{ROOT + "Bad.java": b"package com.example;\npublic class Bad { String s = \"\xff\xfe\x80\"; }\n"})
    yield "a comment and a text without an end", with_files(**{ROOT + "Open.java": 'package com.example; public class Open { String s = "abc; /* '})
    yield "100,000 opening braces", with_files(**{ROOT + "Braces.java": "package com.example; public class Braces { " + "{" * 100000})
    yield "annotations nested 2,000 deep", java(f'@A({nested("@A(", ")", 2000, "1")}) @GetMapping("/hostile") public int hostile() {{ return 1; }}')
    yield "a path of 200 variables", java('@GetMapping("' + "".join(f"/{{v{i}}}" for i in range(200)) + '") public Object hostile(' + ", ".join(f"@PathVariable int v{i}" for i in range(200)) + ") { return v7; }")
    yield "500 parameters", get("return p7 + p8;", ", ".join(f"@RequestParam int p{i}" for i in range(500)))
    yield "5,000 operations", {"pom.xml": POM, **{f"{ROOT}C{c}.java": f"{HEAD}@RestController\npublic class C{c} {{\n" + "".join(f'@GetMapping("/c{c}/o{o}/{{n}}") public int o{o}(@PathVariable int n) {{ if (n > {o}) return {o}; return n; }}\n' for o in range(100)) + "}\n" for c in range(50)}}
    yield "500 paths of one method, each without a verb", java("@RequestMapping({" + ", ".join(f'"/p{i}"' for i in range(500)) + "}) public int hostile(@RequestParam int n) { return n; }")
    yield "`allOf` with one `$ref` twice, 40 deep", body_of("{" + ",".join(f'"{"A" if i == 0 else f"S{i}"}":{{"allOf":[{{"$ref":"#/components/schemas/S{i + 1}"}},{{"$ref":"#/components/schemas/S{i + 1}"}}]}}' for i in range(40)) + ',"S40":{"type":"object","properties":{"a":{"type":"string"}}}}')
    yield "properties that lead to one another, 40 deep, two each", body_of("{" + ",".join(f'"{"A" if i == 0 else f"S{i}"}":{{"type":"object","properties":{{"a":{{"$ref":"#/components/schemas/S{i + 1}"}},"b":{{"$ref":"#/components/schemas/S{i + 1}"}}}}}}' for i in range(40)) + ',"S40":{"type":"string"}}')
    yield "`$ref` to itself", body_of('{"A":{"$ref":"#/components/schemas/A"}}')
    yield "5,000 `$ref`s in a chain", body_of("{" + ",".join(f'"{"A" if i == 0 else f"S{i}"}":{{"$ref":"#/components/schemas/S{i + 1}"}}' for i in range(5000)) + ',"S5000":{"type":"string"}}')
    yield "a document nested 20,000 deep", document('{"openapi":"3.0.0","paths":' + nested('{"a":', "}", 20000, "1") + "}")
    yield "YAML whose aliases make 10^9 nodes", document("openapi: 3.0.0\ninfo: {title: t, version: '1'}\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 10)) + "paths: *a9\n", "openapi.yaml")
    yield "YAML nested 20,000 deep", document("openapi: 3.0.0\npaths: " + nested("[", "]", 20000) + "\n", "openapi.yaml")
    yield "a document of 20 MB", api('{"/plain/{n}":{"get":{"description":"' + "x" * 20000000 + '","responses":{"200":{"description":"d"}}}}}')
    yield "5,000 operations in a document", api("{" + ",".join(f'"/p{i}/{{n}}":{{"get":{{"operationId":"o{i}","responses":{{"200":{{"description":"d"}}}}}}}}' for i in range(5000)) + "}")
    yield "lengths and counts of a thousand million", body_of('{"A":{"type":"object","required":["a","b","c"],"properties":{"a":{"type":"string","minLength":2000000000},"b":{"type":"array","minItems":2000000000,"items":{"type":"string"}},"c":{"type":"string","pattern":"^(a{1,1000}){1,1000}(b+)+$"}}}}')
    yield "an `enum` of 100,000 values", body_of('{"A":{"type":"string","enum":[' + ",".join(f'"v{i}"' for i in range(100000)) + "]}}")
    yield "a document that is empty", document("")
    yield "a document that is cut off", document('{"openapi":"3.0.0","paths":{"/a":{"get":')
    yield "`$ref`s to files outside of the repository", body_of('{"A":{"$ref":"../../../../../../etc/passwd"},"B":{"$ref":"file:///etc/passwd"},"C":{"$ref":"http://127.0.0.1:9/x"}}')
    yield "a `pom.xml` whose entities make 10^9 letters", with_files(**{"pom.xml": '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">' + "".join(f'<!ENTITY {chr(98 + i)} "{f"&{chr(97 + i)};" * 10}">' for i in range(9)) + "]><project><name>&j;</name></project>"})
    yield "a `pom.xml` nested 50,000 deep", with_files(**{"pom.xml": nested("<a>", "</a>", 50000)})
    yield "modules that are their own parents", with_files(**{"pom.xml": POM.replace("<dependencies>", "<modules><module>b</module><module>.</module></modules><dependencies>"), "b/pom.xml": "<project><parent><groupId>g</groupId><artifactId>b</artifactId><version>1</version><relativePath>../b/pom.xml</relativePath></parent><artifactId>b</artifactId><modules><module>../b</module></modules></project>"})
    yield "settings whose aliases make 10^9 nodes", with_files(**{"src/main/resources/application.yml": "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 10))})
    yield "settings that name one another", with_files(**{"src/main/resources/application.properties": "a=${b}${b}\nb=${c}${c}\nc=${a}\nserver.servlet.context-path=${a}\n" + "".join(f"d{i}=${{d{i + 1}}}${{d{i + 1}}}\n" for i in range(40)) + "d40=x\nspring.mvc.servlet.path=${d0}\n"})
    yield "a seed of 3 MB", with_files(**{"src/main/resources/data.sql": "".join(f"INSERT INTO item (id, name) VALUES ({i}, '{'n' * 40}');\n" for i in range(40000))})
    yield "a seed nested 50,000 deep, and cut off", with_files(**{"src/main/resources/data.sql": "INSERT INTO item (id) VALUES " + "(" * 50000 + "1, 'abc"})
    yield "a seed of 6,000 tables that only Oracle knows, and of 34,000 blocks that never end", with_files(**{"src/main/resources/data.sql": "CREATE TABLE t (a NUMBER NOT NULL ENABLE);\n" * 6000 + "BEGIN\n" * 34000})
    yield "`mastor.toml` that is cut off", with_files(**{"mastor.toml": "[service]\nstart = [\"java\", "})
    yield "`mastor.toml` nested 20,000 deep", with_files(**{"mastor.toml": "a = " + nested("[", "]", 20000) + "\n"})
    yield "a suite that is cut off", with_files(**{".mastor/suite/get-plain-n.json": '{"schema": 1, "op_id": "GET /plain/{n}", "orac', ".mastor/lock/get-plain-n.json": "\0\0\0"})
    yield "20,000 files that are empty", with_files(**{f"{ROOT}e{i % 100}/E{i}.java": "" for i in range(20000)})
    yield "a name with line ends and quotes", with_files(**{ROOT + "Line\nend\"'`$(x).java": "package com.example; class X { }", "src/main/resources/\u202eevil.yml": "a: 1"})
