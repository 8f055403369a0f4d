//! The program from outside: compared with GNU coreutils with the same arguments, byte for byte; where GNU
//! has no such feature, compared with its help.
//!
//! | promise | proved in |
//! |---|---|
//! | `sha1sum` … `sha512sum` by name or subcommand: options, texts, exit statuses | `options`, `side_by_side`; 400 lists and 600 command lines at random |
//! | `cksum`, `md5sum`; lists of mixed hashes; the words of coreutils 9.7 | `cksum` |
//! | escaped names, written and checked; names that are not UTF-8; `--tag`, `-z` | `names`, `lists`, `options` |
//! | base64, raw, SRI; gnu, bsd, json, ndjson, csv, hashdeep, printed and read back; HMACs; several hashes in one read | `formats` |
//! | recursive, parallel, in a fixed order; links; depth; few descriptors; a million files; bounded memory | `trees`, `finding` |
//! | long and short files mixed, on threads; pipes and standard input hold up nothing | `trees::long_and_short_files_mix`, `waiting`, `streams` |
//! | globs, `.gitignore`, `--one-file-system`, `--special`, `--files0-from` | `ignore_files`, `finding`, `name_lists` |
//! | progress for people and for programs | `progress` |
//! | `audit`: new, changed, missing, moved, by all digests of a manifest; the choice of files; 0, 1, 2 | `audits` |
//! | `sum --update`: the list that a new run prints; changed files; lists that are not updated | `updates` |
//! | `dupes`: equal files, hard links, odd names | `duplicates` |
//! | `match`: files that lists know, in every format of lists; the other files | `known_files` |
//! | `--cache`: damaged, shared, ticks of the clock | `caches` |
//! | `--output --resume`, interrupted at any place, by any signal; existing data is not lost | `resumed`, `outputs` |
//! | `manifest split`, `merge`, `verify`; all lists or none | `shards` |
//! | directories, devices, sockets, unreadable and vanished files: reported, others continue, 1 | `unreadable`, `faults` |
//! | disks that fail; io_uring refused, or failing on the way | `faults` |
//! | a file that changes while it is read: a warning, 1 with `--fail-on-change` | `changes` |
//! | garbage in lists: as GNU; damaged lists of other formats | `lists`, `formats::lists_that_are_damaged` |
//! | results on standard output alone; full devices, closed pipes | `streams` |
//! | `tree`: every mode, checking, proofs, levels written | `tree_modes` |
//! | hash devices as of veritysetup; trees compared, faults named | `verity` |
//! | `tree` of files and directories: git, Nix, IPFS; S3's ETag | `objects` |
//! | `keygen`, `sign`, `key`: right and wrong use; eight processes at once; exhaustion | `signing` |
//! | no index twice: killed and failing at every call, full disks, copies, damaged files | `signing_faults` |
//! | keys under a passphrase; files, descriptors, the terminal without echo | `passphrases` |
//! | the log; hard links; a damaged public key; leftovers of a failed `keygen`; calls that fail without a file | `signing_keys` |
//! | certificates, requests, messages of CMS; those of OpenSSL and BouncyCastle | `pki` |
//! | witnesses that are commands: failing, hanging, going back | `witness_commands` |
//! | `verify`: signatures of other implementations, keys in every encoding, many files, invalid input | `verification` |
//! | files that commands write: whole or absent, after any failed call and any signal | `write_faults` |
//! | names that another user swaps, links that it plants | `swapped_names` |
//! | directories of keys and witnesses that another user swaps | `swapped_keys` |
//! | `kernels`, `bench`, forced and masked kernels | `kernels`, `wrong_use` |
//! | `man`, `completions` | `man_and_completions` |
//! | help texts: examples, width | `help` |
//! | the program on Windows | `tests/windows.rs` |
#![cfg(unix)]

mod audits;
mod caches;
mod calls;
mod changes;
mod cksum;
mod duplicates;
mod faults;
mod finding;
mod formats;
mod help;
mod ignore_files;
mod kernels;
mod keys;
mod known_files;
mod lists;
mod lms;
mod man_and_completions;
mod name_lists;
mod names;
mod objects;
mod options;
mod outputs;
mod passphrases;
mod pki;
mod progress;
mod resumed;
mod scene;
mod shards;
mod side_by_side;
mod signing;
mod signing_faults;
mod signing_keys;
mod slh_dsa;
mod streams;
mod swapped_keys;
mod swapped_names;
mod tree_modes;
mod trees;
mod unreadable;
mod updates;
mod verification;
mod verity;
mod waiting;
mod witness_commands;
mod write_faults;
mod wrong_use;
