// Made by mastor from the auth file: lets users log in, and keeps what requests need of it. Credentials come from the environment.
(name) => {
  const USERS = JSON.parse({{ users | js }});
  const user = USERS[name];
  const key = (what) => "mastorUser_" + user.variable + "_" + what;
  const get = (what) => pm.collectionVariables.get(key(what));
  const set = (what, value) => pm.collectionVariables.set(key(what), value);
  const epoch = () => pm.collectionVariables.get("mastorEpoch") || "0";
  const isLoggedIn = () => get("epoch") === epoch() && !get("refused");
  const login = "log in: " + name;

  const encode = (t) => encodeURIComponent(t).replace(/[!'()*]/g, (c) => "%" + c.charCodeAt(0).toString(16).toUpperCase());

  // Goes on with another request of this run, and then with this one.
  function jump() {
    pm.collectionVariables.set("mastorBack", pm.info.requestName);
    pm.execution.setNextRequest(login);
  }

  function isNotSent(why) {
    pm.test("is sent as " + name, () => { throw new Error(why); });
    pm.execution.skipRequest();
  }

  // What a login has been given so far.
  function session() {
    const known = JSON.parse(pm.variables.get("mastorLogin") || "{}");
    return known.of === name ? known : { of: name, cookies: [], guard: null, again: false };
  }

  function keep(known, answer) {
    answer.headers.filter((h) => h.key.toLowerCase() === "set-cookie").forEach((h) => {
      const [pair, ...parts] = h.value.split(";").map((part) => part.trim());
      const at = pair.indexOf("=");
      if (at < 0) return;
      known.cookies = known.cookies.filter(([other]) => other !== pair.slice(0, at));
      const gone = at === pair.length - 1 || parts.some((part) => part.toLowerCase() === "max-age=0");
      if (!gone) known.cookies.push([pair.slice(0, at), pair.slice(at + 1)]);
    });
  }

  const forgery = (known) => (known.cookies.find(([cookie]) => cookie === "XSRF-TOKEN") || [])[1];
  const cookies = (known) => known.cookies.map(([cookie, value]) => cookie + "=" + value).join("; ");

  // Name and value of the hidden field of a page that guards it against forgery.
  function guard(page) {
    const attribute = (tag, wanted) => {
      const m = new RegExp(wanted + "=(?:\"([^\"]*)\"|'([^']*)')").exec(tag);
      return m ? m[1] || m[2] || "" : undefined;
    };
    for (const tag of page.match(/<(?:input|meta)\b[^>]*/g) || []) {
      const field = attribute(tag, "name") || "";
      const value = attribute(tag, "value") === undefined ? attribute(tag, "content") : attribute(tag, "value");
      const guards = /csrf|xsrf|authenticity_token|requestverificationtoken/i.test(field) && !/header$|parameter/i.test(field);
      if (guards && value !== undefined) return [field, value];
    }
    return null;
  }

  // A name or password as the body needs it.
  const told = (it) => (it.text !== undefined ? it.text : pm.variables.get(it.setting) || "");
  function said(it) {
    const value = told(it);
    return user.json ? JSON.stringify(value).replace(/\{\{/g, "{\\u007b") : encode(value);
  }

  // The token at the JSON pointer; the whole text where the body is no JSON and the pointer is that of the whole.
  function bodyToken(pointer) {
    const text = pm.response.text() || "";
    try {
      const steps = pointer.split("/").slice(1).map((step) => step.replace(/~1/g, "/").replace(/~0/g, "~"));
      const value = steps.reduce((node, step) => (node !== null && typeof node === "object" ? node[step] : undefined), JSON.parse(text));
      return typeof value === "string" || typeof value === "number" ? String(value) : "";
    } catch (e) {
      return pointer === "" ? text.trim() : "";
    }
  }

  // Why the user is not let in; nothing where it is.
  function refusal(known) {
    const code = pm.response.code;
    if (code >= 400) return user.login + " answered " + code;
    const location = pm.response.headers.get("Location");
    if (location && code >= 300 && /error|fail/.test(location.replace(/^[^]*[?#]/, ""))) return user.login + " leads on to an error page";
    if (user.token) {
      const token = user.token.from_header ? pm.response.headers.get(user.token.selector) : bodyToken(user.token.selector);
      const place = user.token.from_header ? "header " : "body at ";
      if (!token) return user.login + " answered " + code + " without a token in the " + place + user.token.selector;
      const sent = user.token.template.split("{token}").join(token);
      set("token", user.token.in_query ? encode(sent) : sent);
    }
    if (user.cookies && known.cookies.length === 0) return user.login + " answered " + code + " without a cookie";
    set("cookies", cookies(known));
    set("forgery", (user.cookies && forgery(known)) || "");
    return "";
  }

  // Makes the user once on each state of the service. One that is refused may be there already: its login says.
  function make(then) {
    if (!user.made_by || get("made") === epoch()) return then();
    set("made", epoch());
    const url = told(user.made_by.url);
    const server = pm.variables.get("baseUrl").replace(/^(\w+:\/\/[^/]+).*$/, "$1");
    pm.sendRequest({
      url: url.startsWith("/") ? server + url : url,
      method: user.made_by.method,
      header: { "Content-Type": user.made_by.media_type },
      body: { mode: "raw", raw: told(user.made_by.body) },
    }, then);
  }

  function done(why) {
    pm.variables.unset("mastorLogin");
    set("epoch", epoch());
    set("refused", why && name + " could not log in: " + why);
    pm.test(name + " logs in", () => { if (why) throw new Error(why); });
    const back = pm.collectionVariables.get("mastorBack");
    if (back) pm.execution.setNextRequest(back);
    pm.collectionVariables.unset("mastorBack");
  }

  return {
    // The service is back in its first state: whoever was made is gone.
    forget: () => {
      set("epoch", "");
      set("made", "");
    },
    make,
    // Before the login: what is missing is said, what the page of a form gave is sent.
    before: () => {
      pm.variables.set("mastorRun", "logs in");
      const missing = user.settings.filter((setting) => !pm.variables.get(setting));
      if (missing.length > 0) {
        done("set " + missing.join(", "));
        return pm.execution.skipRequest();
      }
      pm.variables.set("mastorServer", pm.variables.get("baseUrl").replace(/^(\w+:\/\/[^/]+).*$/, "$1"));
      if (user.username) pm.variables.set("mastorUsername", said(user.username));
      if (user.password) pm.variables.set("mastorPassword", said(user.password));
      make(() => {});
      const known = session();
      if (known.cookies.length > 0) pm.request.headers.add({ key: "Cookie", value: cookies(known) });
      if (forgery(known)) pm.request.headers.add({ key: "X-XSRF-TOKEN", value: forgery(known) });
      if (known.guard && user.json) pm.request.headers.add({ key: "X-CSRF-TOKEN", value: known.guard[1] });
      if (known.guard && !user.json) {
        const raw = (pm.request.body && pm.request.body.raw) || "";
        pm.request.body.update({ mode: "raw", raw: raw + "&" + known.guard.map(encode).join("=") });
      }
    },
    // Behind the login. A form that is guarded against forgery refuses what does not carry the token of its own page: it is asked once more.
    after: () => {
      const known = session();
      keep(known, pm.response);
      if (pm.response.code !== 403 || known.again) return done(refusal(known));
      const url = pm.variables.replaceIn(pm.request.url.toString());
      pm.cookies.jar().clear(url, () => {
        const header = known.cookies.length > 0 ? { Cookie: cookies(known) } : {};
        pm.sendRequest({ url, method: "GET", header }, (error, page) => {
          if (!error) keep(known, page);
          known.guard = error ? null : guard(page.text() || "");
          if (!known.guard && !forgery(known)) return done(refusal(known));
          known.again = true;
          pm.variables.set("mastorLogin", JSON.stringify(known));
          pm.execution.setNextRequest(login);
        });
      });
    },
    // Before a request as the user, who logs in where that is needed.
    as: () => {
      if (get("epoch") === epoch() && get("refused")) return isNotSent(get("refused"));
      if (isLoggedIn()) {
        const safe = /^(GET|HEAD|OPTIONS|TRACE)$/.test(pm.request.method);
        if (get("forgery") && !safe && !pm.request.headers.has("X-XSRF-TOKEN")) pm.request.headers.add({ key: "X-XSRF-TOKEN", value: get("forgery") });
        return;
      }
      if (!pm.variables.get("mastorRun")) return isNotSent("send \"" + login + "\" of the folder Users first");
      if (pm.collectionVariables.get("mastorState") === "asked") pm.collectionVariables.set("mastorState", "fresh");
      jump();
      pm.execution.skipRequest();
    },
    // Behind a request as the user: whether the login is over, so that the user logs in once more and it is sent again.
    renews: () => {
      const again = pm.collectionVariables.get("mastorAgain") === pm.info.requestName;
      pm.collectionVariables.unset("mastorAgain");
      const useless = Number(get("useless") || 0);
      const refused = pm.response.code === 401;
      if (again) set("useless", refused ? String(useless + 1) : "0");
      if (again || !refused || useless >= 3 || !pm.variables.get("mastorRun")) return false;
      pm.collectionVariables.set("mastorAgain", pm.info.requestName);
      set("epoch", "");
      jump();
      return true;
    },
  };
}
