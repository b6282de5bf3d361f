// Made by mastor: the checks of the suite. Numbers are compared as they are written, and no key of an answer can touch a prototype.
(id) => {
  const MISSING = undefined;
  const TOKEN = /"(?:[^"\\]+|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

  // Texts and keys become "s…", numbers "n…": exact beyond 2^53, and "__proto__" is a key like any other.
  function parse(text) {
    JSON.parse(text);
    return JSON.parse(text.replace(TOKEN, (t) => (t[0] === '"' ? '"s' + t.slice(1) : '"n' + t + '"')));
  }

  function type(v) {
    if (v === MISSING) return "missing";
    if (v === null) return "null";
    if (Array.isArray(v)) return "array";
    if (typeof v === "string") return v[0] === "n" ? "number" : "string";
    return typeof v;
  }

  function show(v) {
    if (type(v) === "missing") return "missing";
    if (type(v) === "number") return v.slice(1);
    if (type(v) === "string") return JSON.stringify(v.slice(1));
    if (type(v) === "array") return "[" + v.map(show).join(",") + "]";
    if (type(v) === "object") return "{" + Object.keys(v).map((k) => JSON.stringify(k.slice(1)) + ":" + show(v[k])).join(",") + "}";
    return String(v);
  }

  function decimal(v) {
    const m = /^n(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(v);
    const all = m[2] + (m[3] || "");
    const digits = all.replace(/^0+/, "");
    const exponent = m[2].length + Number(m[4] || 0) - (all.length - digits.length);
    const short = digits.replace(/0+$/, "");
    return { sign: short === "" ? 0 : m[1] ? -1 : 1, exponent: short === "" ? 0 : exponent, digits: short };
  }

  function compare(a, b) {
    const [x, y] = [decimal(a), decimal(b)];
    if (x.sign !== y.sign) return x.sign - y.sign;
    if (x.exponent !== y.exponent) return x.sign * (x.exponent - y.exponent);
    return x.sign * (x.digits < y.digits ? -1 : x.digits > y.digits ? 1 : 0);
  }

  function same(a, b) {
    if (type(a) !== type(b)) return false;
    switch (type(a)) {
      case "number":
        return compare(a, b) === 0 || (/[.eE]/.test(a + b) && Number(a.slice(1)) === Number(b.slice(1)));
      case "array":
        return a.length === b.length && a.every((item, i) => same(item, b[i]));
      case "object":
        return Object.keys(a).length === Object.keys(b).length
          && Object.keys(a).every((key) => Object.prototype.hasOwnProperty.call(b, key) && same(a[key], b[key]));
      default:
        return a === b;
    }
  }

  function sameItems(a, b) {
    const left = a.slice();
    return a.length === b.length && b.every((item) => {
      const at = left.findIndex((other) => same(item, other));
      if (at >= 0) left.splice(at, 1);
      return at >= 0;
    });
  }

  // The value behind a key or an index.
  function stepped(node, step) {
    if (step[0] === "[") return Array.isArray(node) ? node[Number(step.slice(1))] : MISSING;
    const key = "s" + step.slice(1);
    return type(node) === "object" && Object.prototype.hasOwnProperty.call(node, key) ? node[key] : MISSING;
  }

  // Checks the values at a path: each behind [*], at least one behind [?], the list of them behind [].
  function each(root, path, check) {
    const pattern = /\[(\*|\?|\d*)\]|\.?((?:\\.|[^.[\\])+)/y;
    const steps = [];
    while (pattern.lastIndex < path.length) {
      const m = pattern.exec(path);
      if (!m) throw new Error("no path: " + path);
      steps.push(m[1] !== undefined ? "[" + m[1] : "." + m[2].replace(/\\(.)/g, "$1"));
    }
    const items = (node) => {
      if (!Array.isArray(node)) throw new Error("no array in " + path + ": " + show(node));
      return node;
    };
    function collect(all, n, list) {
      for (const item of all) {
        let node = item;
        let at = n;
        for (; at < steps.length && steps[at] !== "["; at++) {
          if (steps[at] === "[*" || steps[at] === "[?") throw new Error("no path: " + path);
          node = stepped(node, steps[at]);
        }
        if (at < steps.length) collect(items(node), at + 1, list);
        else if (node !== MISSING) list.push(node);
      }
      return list;
    }
    function walk(root, from) {
      let node = root;
      for (let n = from; n < steps.length; n++) {
        if (steps[n] === "[*") return items(node).forEach((item) => walk(item, n + 1));
        if (steps[n] === "[") return check(collect(items(node), n + 1, []));
        if (steps[n] === "[?") {
          const some = items(node).some((item) => {
            try {
              walk(item, n + 1);
              return true;
            } catch (e) {
              return false;
            }
          });
          if (!some) throw new Error('no element at "' + path + '" is as it must be: ' + show(node));
          return;
        }
        node = stepped(node, steps[n]);
      }
      check(node);
    }
    walk(root, 0);
  }

  // The first value at a path.
  function first(root, path) {
    const found = [];
    each(root, path, (v) => found.push(v));
    return found[0];
  }

  function pattern(text) {
    try {
      return new RegExp(text, "u");
    } catch (e) {
      return new RegExp(text);
    }
  }

  function hasType(v, wanted) {
    if (wanted !== "integer") return type(v) === wanted;
    const d = type(v) === "number" && decimal(v);
    return Boolean(d) && d.digits.length <= Math.max(d.exponent, 0);
  }

  const comparable = (a, b) => type(a) === type(b) && (type(a) === "number" || type(a) === "string");
  const order = (a, b) => (type(a) === "number" ? compare(a, b) : a < b ? -1 : a > b ? 1 : 0);

  function holds(op, v, e) {
    switch (op) {
      case "equals": return same(v, e);
      case "not_null": return v !== MISSING && v !== null;
      case "is_null": return v === null;
      case "absent": return v === MISSING;
      case "gte": return comparable(v, e) && order(v, e) >= 0;
      case "lte": return comparable(v, e) && order(v, e) <= 0;
      case "gt": return comparable(v, e) && order(v, e) > 0;
      case "lt": return comparable(v, e) && order(v, e) < 0;
      case "near": return type(v) === "number" && Math.abs(Number(v.slice(1)) - Number(e.svalue.slice(1))) <= Number(e.swithin.slice(1));
      case "sorted": {
        const wrong = e === "sascending" ? 1 : -1;
        const right = (item, i) => comparable(item, item) && (i === 0 || (comparable(v[i - 1], item) && Math.sign(order(v[i - 1], item)) !== wrong));
        return type(v) === "array" && v.every(right);
      }
      case "contains_not":
        return type(v) === "array" ? !v.some((item) => same(item, e))
          : type(v) === "string" && type(e) === "string" && !v.slice(1).includes(e.slice(1));
      case "matches": return type(v) === "string" && pattern(e.slice(1)).test(v.slice(1));
      case "type": return hasType(v, e.slice(1));
      case "contains":
        return type(v) === "array" ? v.some((item) => same(item, e))
          : type(v) === "string" && type(e) === "string" && v.slice(1).includes(e.slice(1));
      case "one_of": return e.some((item) => same(v, item));
      case "length": {
        const n = type(v) === "string" ? v.length - 1 : type(v) === "array" ? v.length : type(v) === "object" ? Object.keys(v).length : -1;
        return n === Number(e.slice(1));
      }
      case "keys": return type(v) === "object" && same(Object.keys(v).sort(), e.slice().sort());
      case "same_items": return type(v) === "array" && sameItems(v, e);
      default: throw new Error("no operator: " + op);
    }
  }

  // Header values come with a character for each byte; where these are UTF-8, that is what is meant.
  function utf8(value) {
    if (/[^\x00-\xff]/.test(value)) return value;
    try {
      return decodeURIComponent(value.replace(/[^]/g, (c) => "%" + (256 + c.charCodeAt(0)).toString(16).slice(1)));
    } catch (e) {
      return value;
    }
  }

  const text = () => pm.response.text() || "";
  const mediaType = () => (pm.response.headers.get("Content-Type") || "").split(";")[0].trim().toLowerCase();

  // A body that is no JSON by its media type and no object or array is one string.
  function root(path) {
    if (text() === "") return MISSING;
    try {
      const value = parse(text());
      return /^$|[/+]json$/.test(mediaType()) || (typeof value === "object" && value !== null) ? value : "s" + text();
    } catch (e) {
      if (path !== "") throw new Error("the body is no JSON: " + text());
      return "s" + text();
    }
  }

  // What "$captures.name" stands for, which was taken before, and "$body.path", which is in this answer.
  function known(name) {
    if (name.startsWith("$captures.")) {
      const taken = pm.collectionVariables.get("mastor_" + id + "_" + name.slice(10).replace(/[^A-Za-z0-9]/gu, "_") + "_json");
      return taken === undefined ? MISSING : parse(taken);
    }
    if (!name.startsWith("$body.")) return MISSING;
    const path = name.slice(6);
    const v = first(root(path), path);
    if (v === MISSING) throw new Error("nothing at " + path + ", which it is compared with");
    return v;
  }

  function fill(v) {
    if (type(v) === "string" && v.startsWith("s$")) {
      const value = known(v.slice(1));
      return value === MISSING ? v : value;
    }
    if (type(v) === "string" && v.includes("{$")) {
      return v.replace(/\{(\$[^}]*)\}/g, (all, name) => {
        const value = known(name);
        return value === MISSING ? all : type(value) === "string" ? value.slice(1) : show(value);
      });
    }
    if (type(v) === "array") return v.map(fill);
    if (type(v) === "object") return Object.fromEntries(Object.entries(v).map(([key, item]) => [key, fill(item)]));
    return v;
  }

  // What needs a fresh state and fails behind requests that have written proves nothing: it is skipped.
  function test(name, check) {
    const title = "[" + id + "] " + name;
    if (pm.collectionVariables.get("mastorBehind") !== id) return pm.test(title, check);
    try {
      check();
    } catch (e) {
      return pm.test.skip(title + ": inconclusive, it needs the state that the service starts with");
    }
    pm.test(title, () => {});
  }

  function expect(what, op, v, e) {
    if (!holds(op, v, e)) throw new Error(what + " is " + show(v) + ", expected: " + op + " " + show(e));
  }

  const encode = (t) => encodeURIComponent(t).replace(/[!'()*]/g, (c) => "%" + c.charCodeAt(0).toString(16).toUpperCase());

  return {
    // Brings the service back to its seed, where something may have changed it and MASTOR_RESET says how.
    before: (writes, fresh, then = () => {}) => {
      pm.collectionVariables.unset("mastorBehind");
      const where = pm.variables.get("MASTOR_RESET");
      const asked = () => {
        pm.collectionVariables.set("mastorState", writes ? "asked" : "fresh");
        then();
      };
      if (pm.collectionVariables.get("mastorState") === "fresh") return asked();
      if (!where || where === "none") {
        if (fresh && pm.collectionVariables.get("mastorState") === "touched") pm.collectionVariables.set("mastorBehind", id);
        return then();
      }
      const server = pm.variables.get("baseUrl").replace(/^(\w+:\/\/[^/]+).*$/, "$1");
      const url = /^https?:/.test(where) ? where : server + where;
      pm.sendRequest({ url, method: "POST" }, (error, answer) => {
        // Another server may have started it anew: whoever had logged in has to do so again.
        // Whoever was made is gone with the state.
        const made = JSON.parse(pm.collectionVariables.get("mastorMade") || "[]");
        const users = made.map((name) => eval(pm.collectionVariables.get("mastorUsers"))(name));
        users.forEach((user) => user.forget());
        if (!(url + "/").startsWith(server + "/")) pm.collectionVariables.set("mastorEpoch", String(Date.now()));
        if (!error && answer.code < 300) return users.reduceRight((then, user) => () => user.make(then), asked)();
        test("is reset", () => { throw new Error("the reset is answered " + (error || answer.code)); });
      });
    },
    // What is refused leaves the state as it was.
    after: (writes) => {
      const refused = Math.floor(pm.response.code / 100) === 4;
      const state = pm.collectionVariables.get("mastorState");
      if (writes && !(refused && state !== "touched")) pm.collectionVariables.set("mastorState", "touched");
      if (writes && refused && state === "asked") pm.collectionVariables.set("mastorState", "fresh");
    },
    user: (name, variable) => test("has credentials of " + name, () => {
      if (!pm.variables.get(variable)) throw new Error("set " + variable);
    }),
    status: (name, codes) => test(name, () => {
      if (!codes.includes(pm.response.code)) throw new Error("status is " + pm.response.code + ", body " + text());
    }),
    field: (name, path, op, json) => test(name, () => {
      const e = json === undefined ? MISSING : fill(parse(json));
      each(root(path), path, (v) => expect('body at "' + path + '"', op, v, e));
    }),
    header: (name, header, op, json) => test(name, () => {
      const e = json === undefined ? MISSING : fill(parse(json));
      const values = pm.response.headers.filter((h) => h.key.toLowerCase() === header.toLowerCase()).map((h) => utf8(h.value));
      let v = values.length === 0 ? MISSING : "s" + values.join(", ");
      if (type(e) === "number" && v !== MISSING && op !== "length") v = parse(v.slice(1).trim());
      expect("header " + header, op, v, e);
    }),
    body: (name, op, media) => test(name, () => {
      if (op === "media_type" ? mediaType() !== media.trim().toLowerCase() : (op === "empty") !== (text() === "")) {
        throw new Error('body is "' + text() + '" of media type "' + mediaType() + '"');
      }
    }),
    take: (name, from) => test("takes " + name + " from " + from, () => {
      let v;
      if (from.startsWith("body:")) {
        v = first(root(from.slice(5)), from.slice(5));
      } else {
        const [header, tail] = from.slice(7).split("#");
        v = pm.response.headers.get(header);
        v = v && utf8(v);
        if (v && tail) v = decodeURIComponent(v.replace(/[?#].*$/, "").replace(/\/+$/, "").replace(/^.*\//, ""));
        v = v ? "s" + v : MISSING;
      }
      if (v === MISSING || v === null) throw new Error("nothing to take " + name + " from");
      const plain = type(v) === "string" ? v.slice(1) : show(v);
      pm.collectionVariables.set("mastor_" + id + "_" + name + "_json", show(v).replace(/\{\{/g, "{\\u007b"));
      pm.collectionVariables.set("mastor_" + id + "_" + name + "_encoded", encode(plain));
      pm.collectionVariables.set("mastor_" + id + "_" + name, plain);
    }),
  };
}
