//! Keys in files: no fault makes a key use an index twice, and no fault loses a key.
//!
//! Most tests run on a file system in memory (`simulated.rs`) that can fail, process only a part, forget and
//! die at each call. `ledger.rs` records every released index, and detects a second release. The program's
//! tests cover the program itself, system calls that strace makes fail, `/dev/full`, and eight processes.
//!
//! | fault | tests |
//! |---|---|
//! | 1 a kill at every call | `kills`: `no_index_is_used_twice_…`, `no_key_is_lost_after_a_fault_at_any_call_of_its_generation` |
//! | 2 an error at every call; no signature is released before its state is stored | the same; `order::a_signature_leaves_after_its_state_is_on_the_disk` |
//! | 3 short reads and writes | the same of `kills` |
//! | 4 an fsync that fails once | the same of `kills` |
//! | 5 data that was not synced is lost after the kill | the same of `kills`, in three ways |
//! | 6 a full disk, then space again | `order::a_full_disk_takes_no_index`, `order::a_key_is_created_when_there_is_space_again` |
//! | 7 a signature to `/dev/full` | with the program |
//! | 8 eight processes | with the program |
//! | 9 threads; Clone does not compile | `locks::threads_never_get_the_same_index`; the examples of `hashlanes_hbs::store` |
//! | 10 a fork | `locks::a_forked_child_does_not_sign` |
//! | 11 `state`, the directory, the volume restored | `restored`: `a_restored_state_…`, `a_restored_directory_…`, `a_restored_volume_…` |
//! | 12 the directory moved | `restored::a_key_that_was_moved_is_adopted`, `real_files::a_moved_directory_signs_on_and_a_copied_one_is_refused` |
//! | 13 every file truncated, emptied, changed, missing | `damaged`: `every_truncation_and_every_changed_byte_is_refused`, `missing_files_…`, `texts_…` |
//! | 14 the state of another key, of another part | `restored`: `files_of_another_key_are_refused`, `files_of_another_part_are_refused` |
//! | 15 temporary files left over, links, pipes, modes, a read-only directory | `damaged`: `pipes_and_modes_are_refused`, `leftovers_of_a_crash_are_removed`; `real_files`: `links_and_pipes_are_refused`, `a_temporary_file_is_never_written_through_a_link` |
//! | 16 the end of a key, for all sets | `limits` |
//! | 17 windows of 1, 2, 64, more than is left, killed after each signature | `kills::windows_are_burned_when_the_process_dies` |
//! | 18 a kill during a split | `kills::no_index_is_used_twice_after_a_fault_at_any_call`: "split" |
//! | 19 `lock` removed by hand | `locks`: `a_lock_that_was_removed_stops_the_handle`, `a_lock_that_was_replaced_…` |
//! | 20 a damaged cache | `damaged::a_damaged_cache_gives_the_same_signatures`, `a_second_root_is_a_fault_and_poisons_the_key` |
//! | 21 random sequences against a model | `random` |
//! | 22 a copy restored with any tool, after 1 to 4 commits, on every file system | `copies` in memory, `file_systems` on loop devices |
//! | 23 another device number, a remount | the same: `an_honest_key_…` |
//! | records of the log changed, removed, swapped | `chain` |
//! | keys of other programs, damaged or not | `imports` |
//! | files of the previous format | `upgraded` |
//! | keys under a passphrase: never in clear, not lost when it changes | `encrypted` |
//! | a witness that fails, forgets, or goes back | `external` |
//! | mutants | `order::mutants_that_leave_a_step_out_are_caught`; `cargo xtask faults crates/hbs` |

mod chain;
mod copies;
mod damaged;
mod encrypted;
mod external;
mod file_systems;
mod fixture;
mod imports;
mod kills;
mod ledger;
mod limits;
#[path = "../xmss/live.rs"]
mod live;
mod locks;
mod order;
mod random;
mod real_files;
mod restored;
mod simulated;
mod streams;
mod upgraded;
