//! `raichi completions SHELL`: what a shell needs to complete the command.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Cli;
use crate::failure::Failure;
use crate::output::Output;

/// Write completions for a shell.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  raichi completions bash > ~/.local/share/bash-completion/completions/raichi
  raichi completions zsh > ~/.zfunc/_raichi
  raichi completions fish > ~/.config/fish/completions/raichi.fish")]
pub(crate) struct Args {
    /// Which shell.
    shell: Shell,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    // Into memory first: the generator panics when its writer fails.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "raichi", &mut script);
    Output::new().print(String::from_utf8_lossy(&script))
}
