//! The members of a generated model class for its properties, and its `equals`, `hashCode` and `toString`, as Java
//! source.

use super::values::{Form, Ty, Types};
use mastor_java::interpret::classes::objects::capitalised;
use mastor_openapi::{Additional, Schema, SchemaRef};

/// One property of a model.
pub(super) struct Var {
    /// Name in JSON.
    pub(super) name: String,
    /// Name of the field.
    pub(super) field: String,
    pub(super) ty: Ty,
    pub(super) required: bool,
    /// Whether the value is wrapped in `JsonNullable`, since it may be null.
    pub(super) wrapped: bool,
    pub(super) view: Schema,
    pub(super) at: SchemaRef,
}

impl Var {
    /// The type of the field.
    pub(super) fn held(&self) -> String {
        match self.wrapped {
            true => format!("org.openapitools.jackson.nullable.JsonNullable<{}>", self.ty.text),
            false => self.ty.text.clone(),
        }
    }

    fn accessor(&self, prefix: &str) -> String {
        // A lower-case letter before an upper-case one stays, as in JavaBeans.
        if self.field.chars().nth(1).is_some_and(|c| c.is_ascii_uppercase()) {
            return format!("{prefix}{}", self.field);
        }
        format!("{prefix}{}", capitalised(&self.field))
    }
}

/// The constructor with the required properties.
pub(super) fn constructor(class: &str, vars: &[Var]) -> String {
    let required: Vec<&Var> = vars.iter().filter(|var| var.required && !var.wrapped).collect();
    if required.is_empty() || vars.iter().any(|var| var.required && var.wrapped) {
        return String::new();
    }
    let params: Vec<String> = required.iter().map(|var| format!("{} {}", var.ty.text, var.field)).collect();
    let mut out = format!("\n  public {class}({}) {{\n", params.join(", "));
    for var in required {
        out += &format!("    this.{0} = {0};\n", var.field);
    }
    out + "  }\n"
}

/// Getter, setter, fluent setter, and methods that add elements.
pub(super) fn accessors(class: &str, var: &Var) -> String {
    let (field, held, plain) = (&var.field, var.held(), &var.ty.text);
    let (get, set) = (var.accessor("get"), var.accessor("set"));
    let wrapped = match var.wrapped {
        true => format!("org.openapitools.jackson.nullable.JsonNullable.of({field})"),
        false => field.clone(),
    };
    let mut out = format!(
        "\n  public {class} {field}({plain} {field}) {{\n    this.{field} = {wrapped};\n    return this;\n  }}\n"
    );
    if !var.wrapped {
        let more = |name: String, params: &str, made: &str, call: &str| {
            format!(
                "\n  public {class} {name}({params} {field}Item) {{\n    if (this.{field} == null) {{\n      this.{field} = new {made}<>();\n    }}\n    \
                 this.{field}.{call}{field}Item);\n    return this;\n  }}\n"
            )
        };
        out += &match &var.ty.form {
            Form::List(item) => more(format!("{}Item", var.accessor("add")), &item.text, "ArrayList", "add("),
            Form::Set(item) => more(format!("{}Item", var.accessor("add")), &item.text, "LinkedHashSet", "add("),
            Form::Map(item) => more(
                format!("{}Item", var.accessor("put")),
                &format!("String key, {}", item.text),
                "HashMap",
                "put(key, ",
            ),
            _ => String::new(),
        };
    }
    out += &format!("\n  public {held} {get}() {{\n    return {field};\n  }}\n");
    out + &format!("\n  public void {set}({held} {field}) {{\n    this.{field} = {field};\n  }}\n")
}

/// The members that store properties which the schema does not name.
pub(super) fn additional(types: &Types<'_>, class: &str, view: &Schema) -> Option<String> {
    let of = match &view.additional {
        Additional::Schema(of) => types.ty(of, class, "additionalProperties")?.text,
        _ => "Object".to_owned(),
    };
    Some(format!(
        "\n  private Map<String, {of}> additionalProperties;\n\n  @JsonAnySetter\n  public {class} putAdditionalProperty(String key, {of} value) {{\n    \
         if (this.additionalProperties == null) {{\n      this.additionalProperties = new HashMap<String, {of}>();\n    }}\n    \
         this.additionalProperties.put(key, value);\n    return this;\n  }}\n\n  @JsonAnyGetter\n  public Map<String, {of}> getAdditionalProperties() {{\n    \
         return additionalProperties;\n  }}\n\n  public {of} getAdditionalProperty(String key) {{\n    if (this.additionalProperties == null) {{\n      \
         return null;\n    }}\n    return this.additionalProperties.get(key);\n  }}\n"
    ))
}

/// `equals`, `hashCode` and `toString`.
pub(super) fn identity(class: &str, vars: &[Var], open: bool) -> String {
    let mut names: Vec<(&str, bool)> = vars.iter().map(|var| (var.field.as_str(), var.ty.text == "byte[]")).collect();
    if open {
        names.push(("additionalProperties", false));
    }
    let same: Vec<String> = names
        .iter()
        .map(|(name, bytes)| format!("{}.equals(this.{name}, other.{name})", if *bytes { "Arrays" } else { "Objects" }))
        .collect();
    let hashed: Vec<String> = names
        .iter()
        .map(|(name, bytes)| if *bytes { format!("Arrays.hashCode({name})") } else { (*name).to_owned() })
        .collect();
    let mut out = format!(
        "\n  @Override\n  public boolean equals(Object o) {{\n    if (this == o) {{\n      return true;\n    }}\n    \
         if (o == null || getClass() != o.getClass()) {{\n      return false;\n    }}\n    {class} other = ({class}) o;\n    return {};\n  }}\n",
        same.join(" && ")
    );
    out +=
        &format!("\n  @Override\n  public int hashCode() {{\n    return Objects.hash({});\n  }}\n", hashed.join(", "));
    out += &format!(
        "\n  @Override\n  public String toString() {{\n    StringBuilder sb = new StringBuilder();\n    sb.append(\"class {class} {{\\n\");\n"
    );
    for (name, _) in names {
        out += &format!("    sb.append(\"    {name}: \").append(toIndentedString({name})).append(\"\\n\");\n");
    }
    out + "    sb.append(\"}\");\n    return sb.toString();\n  }\n\n  private String toIndentedString(Object o) {\n    \
           return o == null ? \"null\" : o.toString().replace(\"\\n\", \"\\n    \");\n  }\n"
}
