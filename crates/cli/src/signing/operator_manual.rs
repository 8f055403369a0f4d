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

  Backups. Of DIR, public.pem alone belongs in a backup job:
  exclude the rest. A copy of the whole directory is a second
  signer: put back later, it would use indices that were used
  since. It is refused (\"rollback suspected\", status 4), whatever
  tool copied it: state knows the birth time of the file that it was
  written to, and where the file system keeps no birth times, state
  and log know each other's change times. There (ext2, ext3, some
  ext4, network file systems) also chmod, chown and hard links look
  like a copy, and a commit can take a second. Where change times
  can be set (sshfs), keys are refused without a witness. A copy by
  hard links (cp -al) is refused as long as both names exist.
  Instead of restoring, plan to lose the key: make two keys,
  publish both public keys, and keep the second one unused on
  another machine; or give it a part of the same key
  (\"Several signers\").

  Snapshots. A snapshot of the whole volume or machine that is put
  back takes all files of DIR back together, and they are the same
  files. From inside, that cannot be seen: only a witness sees it.
  The same holds for a copied block device (dd, LVM). A snapshot
  that is mounted next to the original is refused on btrfs and ZFS.
  Keep keys on volumes and machines that are not put back; or give
  every command `--witness PATH` with a file on another volume or
  machine: it remembers how far the key was. Cloned virtual
  machines are two signers: do not clone them.

  Containers. A key in a lower layer of an overlay is the same file
  in every container over it: each would sign with the same indices.
  Keep keys in a volume that one container has, or give every
  command `--witness PATH` with a file outside.

  Clocks. Without birth times (see above), whoever can set the
  system's clock or write to the unmounted disk can forge change
  times. Use a file system with birth times for keys.

  After something was put back (a backup, a snapshot, a clone):

    1. Sign nothing, also if nothing is refused. Stop what signs by
       itself.
    2. Find out whether a later copy is still there. If it is, use
       that one, and delete what was put back.
    3. Find the newest signature that was ever made with the key,
       here or elsewhere: `verify --json` shows its index; and the
       last index that `key split` gave away since. If nobody knows
       them for certain, the key is lost: go to step 6.
    4. `key adopt DIR --at-least N`, with N above them all, and
       rather too high than too low: indices are cheap. `key adopt
       DIR --from-signature FILE` takes N from the signature. The
       message is not known to it: it checks that the signature is
       of this key, and cannot know whether it is the newest.
    5. `key status DIR`: next is N or above. Sign again.
    6. Of a lost key: delete DIR and its copies, and publish the
       next public key. If two signatures may have been made with
       one index, withdraw the old one: it is to be trusted no more.

  Remounting. A key signs on after a reboot, also if its disk has
  another device number then.

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
  are never used, and no harm is done. A full disk uses up nothing
  when `sign` runs; `key split` to a full disk burns the indices
  that it gave away (status 3), because the key must do without
  them before the child is written. A second program that wants the
  key at the same time is told that it is locked (status 75), or
  waits (`--wait`).

  Exhaustion. `key status` tells how many signatures are left; from
  90 % on `sign` warns. An exhausted key signs nothing more (status
  5): publish the next public key before that.

  Audits. `key log DIR` prints what was signed when; `--check`
  verifies that no record was changed or removed.

  Older versions. A key that an earlier version wrote is upgraded by
  the first command that opens it. Its old log is kept as log-1.

  Damage. `cache/` is made again if it is damaged or lost,
  public.pem by `key export-public`. `key`, `state` and `log`
  cannot: damaged, they are refused (status 7).

  Owners. Run all commands as the user that DIR belongs to. Other
  users are refused, and so is root. `chown -R USER DIR` gives a key
  to another user.

The files of DIR: key (the secret, never written again), state
(which indices are used), log (a record of each commit), lock (the
command that signs holds a lock on it: it stays when no command runs,
and must not be removed), cache (tree nodes,
public), public.pem. The directory is open to its owner alone.";
