//! The command line: its commands and flags as clap types.
//!
//! Comes in: arguments. Goes out: one `Cli`, with its help. Never here: running a command (that is `commands`).

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::pipeline::WithSlices;
use mastor_config::{ExportKind, FailOn, ServiceOverrides, SlicesSetting, Within};
use mastor_types::model::EngineName;
use mastor_types::shard::{MOST, Shard};

/// Keeps semantic test oracles of a Java REST API as new as its code, and says which operations a change makes answer differently.
#[derive(Debug, Parser)]
#[command(name = "mastor", version, about, max_term_width = 110, propagate_version = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Options of every command.
    #[command(flatten)]
    pub global: Global,
}

/// Options of every command.
#[derive(Debug, Clone, Args)]
pub struct Global {
    /// Folder to work in: anywhere inside the repository
    #[arg(short = 'C', long, value_name = "DIR", global = true, help_heading = "Global options")]
    pub directory: Option<PathBuf>,
    /// Say more: every detail of what is done
    #[arg(short, long, global = true, help_heading = "Global options")]
    pub verbose: bool,
    /// Print results and failures only
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = "Global options")]
    pub quiet: bool,
    /// When to use colour; `NO_COLOR` is honoured
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true, help_heading = "Global options")]
    pub color: Color,
    /// Settings of the one service to work on, instead of every mastor.toml; a path from the repository's root
    #[arg(long, value_name = "FILE", env = "MASTOR_CONFIG", global = true, help_heading = "Global options")]
    pub config: Option<String>,
    /// The OpenAPI document, instead of the one configured or found
    #[arg(long, value_name = "FILE", env = "MASTOR_OPENAPI", global = true, help_heading = "Global options")]
    pub openapi: Option<String>,
}

/// When to use colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How to print a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// One JSON object, and nothing else, on standard output.
    Json,
}

/// How to print a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum PlanFormat {
    /// For people.
    #[default]
    Text,
    /// One JSON object, and nothing else, on standard output.
    Json,
    /// One line of JSON: the job matrix of a sharded run, balanced by what earlier runs have cost.
    Matrix,
}

/// The two ends of a comparison.
#[derive(Debug, Clone, Args)]
pub struct Range {
    /// Compare with the merge base of REF and head; without it, with the base of the CI event
    #[arg(long, value_name = "REF", env = "MASTOR_SINCE")]
    pub since: Option<String>,
    /// What to take as head: a commit instead of the work tree (where that is dirty) or HEAD
    #[arg(long, value_name = "REF")]
    pub head: Option<String>,
}

/// What becomes of a clone that lacks the base.
#[derive(Debug, Clone, Copy, Args)]
pub struct Clones {
    /// Fetch what a shallow clone lacks, step by step, until the merge base is there
    #[arg(long, env = "MASTOR_DEEPEN", value_parser = clap::builder::BoolishValueParser::new(), action = clap::ArgAction::SetTrue)]
    pub deepen: bool,
}

/// How the service is started or reached, instead of what `mastor.toml` says.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Service")]
pub struct ServiceFlags {
    /// Command that starts it; `{port}` stands for its port
    #[arg(long, value_name = "COMMAND", env = "MASTOR_START_COMMAND")]
    pub start_command: Option<String>,
    /// Where it answers; without `--start-command`, it runs already
    #[arg(long, value_name = "URL", env = "MASTOR_BASE_URL")]
    pub base_url: Option<String>,
    /// URL, or path below the base URL, that answers with a status below 500 when it is ready
    #[arg(long, value_name = "URL", env = "MASTOR_READY_URL")]
    pub ready_url: Option<String>,
}

impl ServiceFlags {
    /// These flags as overrides of the settings.
    pub fn overrides(&self) -> ServiceOverrides {
        ServiceOverrides {
            start: self.start_command.clone(),
            base_url: self.base_url.clone(),
            ready_url: self.ready_url.clone(),
        }
    }
}

/// How the suite is run.
#[derive(Debug, Clone, Args)]
pub struct Running {
    /// Most oracles at a time; those that may change state run alone
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub concurrency: u16,
    /// Time limit of a request, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..))]
    pub request_timeout: u16,
    /// Where the service is
    #[command(flatten)]
    pub service: ServiceFlags,
}

/// How new oracles are confirmed on the service.
#[derive(Debug, Args)]
pub struct Confirm {
    /// Runs on fresh state that confirm an oracle
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(2..=20))]
    pub confirm_runs: u8,
    /// Complete confirmed oracles to the whole stable answer (the default where a service is there)
    #[arg(long, conflicts_with = "no_observe")]
    pub observe: bool,
    /// Leave oracles as they were derived
    #[arg(long)]
    pub no_observe: bool,
    /// Leave a configured service alone: nothing is built, started or asked
    #[arg(long)]
    pub no_service: bool,
    /// How the service is asked
    #[command(flatten)]
    pub running: Running,
}

/// What `mastor slice` is asked.
#[derive(Debug, Args)]
pub struct Slice {
    /// Operations, as `GET /todos/{id}`, or a unique part of the name; all without any
    #[arg(value_name = "OP")]
    pub operations: Vec<String>,
    /// Compare with REF: what head answers otherwise, given the same
    #[arg(long, value_name = "REF", conflicts_with = "class_path")]
    pub since: Option<String>,
    /// Main class of the application, instead of the one that is found
    #[arg(long, value_name = "CLASS")]
    pub main: Option<String>,
    /// Classes and libraries of the application and of its tests, built already, with the system's separator; without it, Maven builds them
    #[arg(long, value_name = "PATH")]
    pub class_path: Option<String>,
    /// Time limit of a slice, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..))]
    pub request_timeout: u16,
    /// How to print the result
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// What `mastor strength` is asked.
#[derive(Debug, Args)]
pub struct Strength {
    /// Only mutants of members that the change since REF touched or added
    #[arg(long, value_name = "REF")]
    pub since: Option<String>,
    /// Without a JVM: mutants of our own, run by the interpreter against what the oracles expect; an approximation
    #[arg(long, conflicts_with_all = ["main", "class_path", "alone", "within", "slices"])]
    pub fast: bool,
    /// Then generate for the operations that reach what survived or is not covered: oracles that tell those mutants go into the suite
    #[arg(long)]
    pub feed: bool,
    /// With --feed: leave oracles as they were derived
    #[arg(long, requires = "feed")]
    pub no_observe: bool,
    /// What the tests run on: the application in their JVM, or slices, the project's own handlers with stubs for what is outside
    #[arg(long, value_name = "WHEN", value_enum, default_value_t)]
    pub slices: WithSlices,
    /// Main class of the application, instead of the one that is found
    #[arg(long, value_name = "CLASS")]
    pub main: Option<String>,
    /// Classes and libraries of the application, built already, with the system's separator; without it, Maven builds them
    #[arg(long, value_name = "PATH")]
    pub class_path: Option<String>,
    /// Mutants to run again, each in a process of its own, to see that sharing one changes nothing
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub alone: usize,
    /// Time limit of all mutants; what it does not suffice for is counted
    #[arg(long, value_name = "TIME", default_value = "2h")]
    pub within: Within,
    /// How to print the result
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// Which engine makes oracles, and what its models may do.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Engine")]
pub struct Engines {
    /// Who makes oracles: rules without a model, agents with one, both (the default where a model is configured), or one plain prompt a class
    #[arg(long, value_name = "ENGINE", env = "MASTOR_ENGINE", value_enum)]
    pub engine: Option<EngineName>,
    /// Most that models may cost in this run, in USD; what is left then goes to the rules engine
    #[arg(long, value_name = "USD", env = "MASTOR_MAX_USD", value_parser = amount)]
    pub max_usd: Option<f64>,
    /// Most tokens of models in this run
    #[arg(long, value_name = "TOKENS", env = "MASTOR_MAX_TOKENS")]
    pub max_tokens: Option<u64>,
    /// Leave out associations and sequences
    #[arg(long)]
    pub no_multi_op: bool,
    /// Leave out the challengers' review
    #[arg(long, conflicts_with = "review_rounds")]
    pub no_challenger: bool,
    /// Most reviews of one suite; it ends earlier where there is no hint
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=9))]
    pub review_rounds: u8,
    /// Keep every exchange with a model as a file in DIR
    #[arg(long, value_name = "DIR", conflicts_with = "replay")]
    pub record: Option<PathBuf>,
    /// Take replies from DIR instead of a model: needs no key and no network
    #[arg(long, value_name = "DIR")]
    pub replay: Option<PathBuf>,
    /// End with 6 or 8 where the rules engine had to take over, or time ran out
    #[arg(long)]
    pub strict: bool,
}

/// Parses an amount of money: a finite number that is not negative.
fn amount(text: &str) -> Result<f64, String> {
    let amount: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if amount.is_finite() && amount >= 0.0 { Ok(amount) } else { Err("not an amount".to_owned()) }
}

/// Which comment of which pull request.
#[derive(Debug, Clone, Args)]
pub struct CommentTo {
    /// Number of the pull request, instead of the event's
    #[arg(long, value_name = "NUMBER")]
    pub pr: Option<u64>,
    /// Repository on the host, instead of the run's
    #[arg(long, value_name = "OWNER/NAME")]
    pub repo: Option<String>,
    /// Which of several comments of mastor on one pull request
    #[arg(long, value_name = "KEY", env = "MASTOR_COMMENT_KEY", default_value = "mastor")]
    pub key: String,
}

/// What a run does beside its work where it is part of a CI run.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Pull request")]
pub struct Hosted {
    /// Shallow clones
    #[command(flatten)]
    pub clone: Clones,
    /// Who is told
    #[command(flatten)]
    pub telling: Telling,
}

/// What becomes of a report on its pull request.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Pull request")]
pub struct Telling {
    /// Write the report to the pull request, into the one comment that is edited each time
    #[arg(long, env = "MASTOR_COMMENT", value_parser = clap::builder::BoolishValueParser::new(), action = clap::ArgAction::SetTrue)]
    pub comment: bool,
    /// Where the comment goes
    #[command(flatten)]
    pub to: CommentTo,
    /// How the renewed suite gets to the branch; what needs a decision is never taken by itself
    #[arg(long, value_name = "HOW", env = "MASTOR_PROPOSE", value_enum, default_value_t)]
    pub propose: Propose,
}

/// How the renewed suite gets to the branch of a pull request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Propose {
    /// By hand: the patch and the proposals are in `.mastor/out`.
    #[default]
    Patch,
    /// As one commit that is pushed to it, by the token in `MASTOR_PROPOSE_TOKEN`; never to a fork.
    Commit,
    /// By `mastor propose`, which pushes that commit once no code of the head runs any more.
    Later,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Find framework and OpenAPI document, write `mastor.toml` and the workflow for pull requests, and say what was found and what was not
    Init {
        /// Replace a `mastor.toml`, or templates, that are there
        #[arg(long)]
        force: bool,
        /// Add a pre-push hook, which stops a push whose commits speak against the committed suite
        #[arg(long)]
        hook: bool,
        /// Start nothing: the service is written switched off
        #[arg(long)]
        no_service: bool,
        /// Write the built-in templates of the exports into this folder, to be changed and named by `[export] templates`; nothing else is done
        #[arg(long, value_name = "DIR", conflicts_with_all = ["hook", "no_service"])]
        templates: Option<PathBuf>,
    },
    /// List operations with entry method, file and line, and how each was matched
    Operations {
        /// List those of a commit instead of the work tree
        #[arg(long, value_name = "REF")]
        head: Option<String>,
        /// How to print the result
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// Say which operations a change affects
    Plan {
        /// What is compared
        #[command(flatten)]
        range: Range,
        /// Shallow clones
        #[command(flatten)]
        clone: Clones,
        /// Most shards of `--format matrix`; little work is cut into fewer
        #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=i64::from(MOST)))]
        shards: u16,
        /// How to print the result
        #[arg(long, value_enum, default_value_t)]
        format: PlanFormat,
    },
    /// Print the chain from what changed to an operation; without `--since`, all that can influence it
    Why {
        /// The operation, such as `GET /orders/{id}`
        #[arg(value_name = "OP")]
        op: String,
        /// What is compared
        #[command(flatten)]
        range: Range,
        /// How to print the result
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// Write source contexts and oracles into the suite
    Generate {
        /// Operations to generate; without any, those whose lock is stale
        #[arg(value_name = "OP", conflicts_with_all = ["all", "stale", "since"])]
        ops: Vec<String>,
        /// Every operation: makes or renews the baseline
        #[arg(long, conflicts_with_all = ["stale", "since"])]
        all: bool,
        /// Operations whose lock does not fit the code (the default)
        #[arg(long, conflicts_with = "since")]
        stale: bool,
        /// Operations that the change since REF affects
        #[arg(long, value_name = "REF")]
        since: Option<String>,
        /// Say which operations, calls, tokens and files it would be; write and send nothing
        #[arg(long)]
        dry_run: bool,
        /// With --dry-run: write the prompts that would be sent to DIR
        #[arg(long, value_name = "DIR", requires = "dry_run")]
        show_prompts: Option<PathBuf>,
        /// Which engine makes them
        #[command(flatten)]
        engines: Engines,
        /// How new oracles are confirmed
        #[command(flatten)]
        confirm: Confirm,
        /// Whether slices are run: the project's own handlers in one JVM, with stubs where a database or a neighbour would be
        #[arg(long, value_name = "WHEN", env = "MASTOR_SLICES", value_enum)]
        slices: Option<SlicesSetting>,
        /// How to print the result
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// Run the committed suite on the service
    Check {
        /// Oracles and sequences, by id or a unique prefix of it; all without any
        #[arg(value_name = "ID")]
        ids: Vec<String>,
        /// How to print the result
        #[arg(long, value_enum, default_value_t)]
        format: Format,
        /// How the suite is run
        #[command(flatten)]
        running: Running,
    },
    /// Run the suite's oracles in slices: the project's own handlers with stubs where a database, a broker or a neighbour would be, in one JVM; no service, login or configuration
    Slice(Slice),
    /// Send the requests of an oracle or sequence again, and print them as run and as `curl`
    Replay {
        /// The oracle or sequence, by id or a unique prefix of it
        #[arg(value_name = "ID")]
        id: String,
        /// How the requests are sent
        #[command(flatten)]
        running: Running,
    },
    /// What a change does: plan, derived changes, new oracles, exports and report; writes only below `.mastor/out` and `.mastor/cache`
    Ci {
        /// What is compared
        #[command(flatten)]
        range: Range,
        /// What makes it end with 1
        #[arg(long, value_name = "WHEN", env = "MASTOR_FAIL_ON", value_enum)]
        fail_on: Option<FailOn>,
        /// Which engine makes new oracles
        #[command(flatten)]
        engines: Engines,
        /// How new oracles are confirmed
        #[command(flatten)]
        confirm: Confirm,
        /// Whether slices are run: the project's own handlers in one JVM, with stubs where a database or a neighbour would be
        #[arg(long, value_name = "WHEN", env = "MASTOR_SLICES", value_enum)]
        slices: Option<SlicesSetting>,
        /// Time limit of the run, such as 90s or 5m; what it does not suffice for is left out and named, with --strict it ends with 6
        #[arg(long, value_name = "TIME", env = "MASTOR_WITHIN")]
        within: Option<Within>,
        /// Work on one part of the operations, and leave it in `.mastor/out` for `mastor merge`
        #[arg(long, value_name = "K/N", env = "MASTOR_SHARD")]
        shard: Option<Shard>,
        /// What a CI run adds
        #[command(flatten)]
        hosted: Hosted,
        /// How to print the result
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// Join the parts that shards of a run have left to the report of the whole run; fails where one is missing
    Merge {
        /// Folders with a part each, or with folders that have one: downloaded artifacts
        #[arg(value_name = "DIR", required = true)]
        folders: Vec<PathBuf>,
        /// Who is told
        #[command(flatten)]
        telling: Telling,
        /// How to print the result
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// Post the report of a run to its pull request, or print it as Markdown where there is none
    Comment {
        /// The report: `report.json` of a run, also of another machine's
        #[arg(long, value_name = "FILE", default_value = ".mastor/out/report.json")]
        from: PathBuf,
        /// Print the Markdown; post nothing
        #[arg(long)]
        print: bool,
        /// Where the comment goes
        #[command(flatten)]
        to: CommentTo,
    },
    /// Push the renewed suite that `mastor ci --propose later` has left, as one commit to the pull request's branch
    Propose {
        /// What the run has left; `.mastor/out/renewed.json` when left out
        #[arg(long, value_name = "FILE")]
        from: Option<PathBuf>,
    },
    /// Look at the cache of parsed facts, or make it smaller
    Cache {
        /// What to do
        #[command(subcommand)]
        command: CacheCommand,
    },
    /// Run what `ci` would have left out, and say what that would have missed; without `--since`, since the last audit
    Audit {
        /// What is compared
        #[command(flatten)]
        range: Range,
        /// Shallow clones
        #[command(flatten)]
        clone: Clones,
        /// Print the audits that were recorded here; run nothing
        #[arg(long)]
        history: bool,
        /// How the service is asked
        #[command(flatten)]
        confirm: Confirm,
        /// How to print the result
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// Take proposed changes into the suite
    Accept {
        /// Oracles or changes, by id or a unique prefix of it
        #[arg(value_name = "ID", required_unless_present_any = ["op", "all"])]
        ids: Vec<String>,
        /// Every proposal for this operation
        #[arg(long, value_name = "OP", conflicts_with = "ids")]
        op: Option<String>,
        /// Every proposal
        #[arg(long, conflicts_with_all = ["ids", "op"])]
        all: bool,
        /// Take proposals from this folder: a downloaded artifact of a run on this head
        #[arg(long, value_name = "DIR")]
        from: Option<PathBuf>,
    },
    /// Go through proposed changes one by one: both answers, both source lines, and whether to take it
    Review {
        /// Take proposals from this folder: a downloaded artifact of a run on this head
        #[arg(long, value_name = "DIR")]
        from: Option<PathBuf>,
    },
    /// Show what an oracle rests on: evidence with source excerpt, path and origin
    Explain {
        /// The oracle or change, by id or a unique prefix of it
        #[arg(value_name = "ID")]
        id: String,
        /// How to print the result
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// Write the committed suite in forms that run, or are read, without mastor
    Export {
        /// Kinds
        #[arg(value_name = "KIND", value_enum, required = true)]
        kinds: Vec<ExportKind>,
        /// Change the given OpenAPI document where it has drifted from the code, and nothing else of it; for `openapi` alone
        #[arg(long, conflicts_with = "dir")]
        fix: bool,
        /// Folder to write to, a sub-folder for each kind; `.mastor/out/export` of the service without it
        #[arg(long, value_name = "DIR")]
        dir: Option<PathBuf>,
    },
    /// Measure the committed suite: make mutants of what its operations reach, by PITest, and run the exported tests on each, with the application in their JVM
    Strength(Strength),
    /// What `ci` would have said on the last commits or merges of this repository; runs nothing, sends nothing
    Backtest {
        /// How many
        #[arg(long, value_name = "N", default_value_t = 50)]
        last: usize,
        /// Only merge commits, each against its first parent
        #[arg(long)]
        merges: bool,
        /// Start at this commit instead of HEAD
        #[arg(long, value_name = "REF")]
        head: Option<String>,
        /// Name affected operations and derived changes of each commit
        #[arg(long)]
        details: bool,
        /// How to print the result
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// Engines and switches side by side over projects, as tables in Markdown, CSV and JSON; goes on where it was stopped
    Study {
        /// The study: projects and configurations
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// How to print the result
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// All of it on a bundled example project
    Demo {
        /// Make the example here and keep it
        #[arg(long, value_name = "DIR")]
        dir: Option<PathBuf>,
        /// Do not start the service, even where a JDK and Maven are here
        #[arg(long)]
        no_service: bool,
    },
    /// Check that all that mastor needs is here
    Doctor {
        /// Build, start, reset and stop the configured service too, and say how long each took
        #[arg(long)]
        service: bool,
        /// List the library types that are modelled instead: how, their members, and where each is documented
        #[arg(long, conflicts_with_all = ["service", "since"])]
        models: bool,
        /// That of the merge base of REF and head too, the one after the other
        #[arg(long, value_name = "REF", requires = "service")]
        since: Option<String>,
        /// How the service is started or reached
        #[command(flatten)]
        flags: ServiceFlags,
    },
    /// Settings
    Config {
        /// What to do with them
        #[command(subcommand)]
        command: ConfigCommand,
    },
    /// Print the JSON Schema of a contract; without a name, list them
    Schema {
        /// Name of the contract
        #[arg(value_name = "NAME")]
        name: Option<String>,
    },
    /// Print a completion script
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
}

/// What to do with the cache.
#[derive(Debug, Subcommand)]
pub enum CacheCommand {
    /// Say how many records and bytes it holds, by kind; what is damaged is named and removed
    Stats {
        /// How to print the result
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// Remove old records; all of them without an option
    Prune {
        /// Those written more than so many days ago
        #[arg(long, value_name = "N")]
        days: Option<u32>,
        /// The oldest, until the rest has at most so many megabytes
        #[arg(long, value_name = "N")]
        megabytes: Option<u32>,
    },
}

/// What to do with settings.
#[derive(Debug, Subcommand)]
pub enum ConfigCommand {
    /// Print what is in force and where it came from
    Show {
        /// How to print the result
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
}
