//! What whoever keeps a key must know: a part of the manual.

/// Behind the options of `hashlanes key`, and in its manual page.
pub(super) const KEEPING: &str = "\
Keeping a key:

  One index, one signature. Each signature uses up an index of the
  key. Two signatures with one index let anybody forge a third one.
  So the key remembers on disk which indices are used, and
  everything here is about that memory: it must never go back. The
  program refuses when it sees that it may have; what it cannot see
  is told below.

  Backups. Back up DIR/public.pem as you like. A copy of the whole
  directory is a second signer: put back later, it would use
  indices that were used since. It is refused (\"rollback
  suspected\", status 4), since the directory is another one, its
  log and its state are older than a witness knows. Instead of
  restoring, plan to lose the key: make two keys, publish both
  public keys, and keep the second one unused on another machine;
  or give it a part of the same key (\"Several signers\").

  If a backup is all that is left: `key adopt DIR --at-least N`,
  with N above every index that was ever used. The highest is in
  the newest signature: `verify --json` shows its index, `key adopt
  DIR --from-signature FILE` takes it. If you do not know which
  signatures were made, the key is lost.

  Snapshots. A snapshot of the whole machine or volume that is put
  back takes the state and the log back together. From inside, that
  cannot be seen. Keep keys on volumes and machines that are not
  put back; or give every command `--witness PATH` with a file on
  another volume or machine: it remembers how far the key was.
  Cloned virtual machines are two signers: do not clone them.

  Moving. Within a volume, `mv` is all. To another volume or
  machine: copy the directory, delete the original, and say so:
  `key adopt DIR --moved`. Until then it is refused.

  Several signers. `key split DIR --count N --out CHILD` gives the
  next N indices to a new directory with the same public key. The
  child can be carried to another machine (then `key adopt CHILD
  --moved` there). Parent and child never share an index. NIST SP
  800-208 asks for hardware that no secret leaves; here a secret
  leaves by this command: format-compatible, not conformant.

  Crashes, full disks, several programs. A crash burns at most the
  window of the command that ran (`sign --window`): these indices
  are never used, and no harm is done. A full disk uses up nothing.
  A second program that wants the key at the same time is told that
  it is locked (status 75), or waits (`--wait`).

  Exhaustion. `key status` tells how many signatures are left; from
  90 % on `sign` warns. An exhausted key signs nothing more (status
  5): publish the next public key before that.

  Damage. `cache/` is made again if it is damaged or lost,
  public.pem by `key export-public`. `key`, `state` and `log`
  cannot: damaged, they are refused (status 7).

The files of DIR: key (the secret, never written again), state
(which indices are used), log (a line for each commit), lock, cache
(tree nodes, public), public.pem. The directory is open to its
owner alone.";
