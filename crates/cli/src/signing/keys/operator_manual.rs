//! How to keep a key: a part of the help and of the manual pages. docs/signing.md has the same, step by step.

use crate::help_text::list;

/// Follows the options of `hashlanes key`.
pub(super) fn keeping() -> String {
    let topics = list(
        "Keeping a key (XMSS, XMSS^MT, LMS, HSS):",
        &[
            (
                "One index, one signature.",
                "Each signature uses an index of the key. With two signatures of one index an attacker can forge a third one. \
                 The key therefore records on disk which indices are used, and this record must never go back. The \
                 program refuses to sign if it detects that it did. The following topics also cover what it cannot \
                 detect.",
            ),
            (
                "Backups.",
                "Back up public.pem only; exclude all other files of DIR. A copy of the directory is a second signer: \
                 restored later, it would use indices again. It is refused (\"rollback suspected\", status 4), \
                 whatever tool copied it: state stores the birth time of its file. On file systems without birth times \
                 (ext2, ext3, some ext4, network file systems), state and log store each other's change times. There, \
                 chmod, chown and hard links look like a copy, too, and a commit can take a second. Where change times \
                 can be set (sshfs), keys are refused without a witness. A copy by hard links (cp -al) is refused as \
                 long as both names exist. Instead of restoring, plan to lose the key: create two keys, publish both \
                 public keys, and keep the second one unused on another machine. Or give the other machine a part of \
                 the same key (see Several signers).",
            ),
            (
                "Snapshots.",
                "A restored snapshot of the volume or machine puts all files of DIR back together. This cannot be \
                 detected from inside; only a witness detects it. The same is true for a copied block device (dd, \
                 LVM). A snapshot that is mounted next to the original is refused on btrfs and ZFS. Keep keys on volumes \
                 and machines that are never restored, or pass `--witness PATH` to every command, with a file on \
                 another volume or machine that records how far the key is. Cloned virtual machines are two signers: do \
                 not clone them.",
            ),
            (
                "Witness commands.",
                "`--witness-command COMMAND` asks a command in place of a file: a counter of a TPM, a service, a database. \
                 The shell /bin/sh runs it with arguments after COMMAND. `read ID` prints the last record, \"GENERATION \
                 NEXT\" in decimal numbers on one line; a witness that only counts prints GENERATION alone, and one \
                 without a record nothing. `record ID GENERATION NEXT` stores a record durably before it ends, and must \
                 fail if GENERATION is below the stored one; its output is ignored. ID has 64 hexadecimal digits, and \
                 differs for each key and each part of a key. GENERATION goes up by one with each commit. Each exit status \
                 except 0, other output, and more than --witness-timeout are errors: no signature is released. After \
                 `record` the program reads the record again, and compares it. A witness with a lower generation than \
                 the key is refused (status 4); `key adopt` gives a key a new witness. docs/signing.md has an example.",
            ),
            (
                "Containers.",
                "A key in a lower layer of an overlay is the same file in every container over it: each would sign with \
                 the same indices. Keep keys in a volume of one container, or pass `--witness PATH` with a file \
                 outside to every command.",
            ),
            (
                "Clocks.",
                "Without birth times, anybody who can set the system's clock or write to the unmounted disk can forge \
                 change times. Use a file system with birth times for keys.",
            ),
            ("Reboots.", "A key works after a reboot, also if its disk gets another device number."),
            (
                "Moving.",
                "Within a volume, use `mv`. To another volume or machine, copy the directory, delete the original, and \
                 run `key adopt DIR --moved`. Until then the key is refused.",
            ),
            (
                "Several signers.",
                "`key split DIR --count N --out CHILD` gives the next N indices to a new directory with the same public \
                 key. Carry the child to another machine, and run `key adopt CHILD --moved` there. Parent and child \
                 never share an index. NIST SP 800-208 requires hardware that no secret leaves. Here a secret leaves by \
                 this command: the format is compatible, but not conformant.",
            ),
            (
                "Crashes, full disks, several programs.",
                "A crash burns at most the window of the command (`sign --window`): these indices are never used, and \
                 no harm is done. On a full disk, `sign` uses no index. `key split` to a full disk burns the indices of \
                 the child (status 3), because the parent must give them up first. A second program that wants the key \
                 reports that it is locked (status 75), or waits (`--wait`).",
            ),
            (
                "Passphrases.",
                "`keygen --encrypt` encrypts the secret (Argon2id, AEGIS-256); `key passphrase DIR` encrypts an existing \
                 key, or changes its passphrase. All commands that read the secret then ask for it on the terminal, or \
                 read it by --passphrase-file or --passphrase-fd. A passphrase cannot be recovered. It does not make \
                 copies safe.",
            ),
            (
                "Exhaustion.",
                "`key status` shows how many signatures are left; `sign` warns when 10 % of them are left, and when 1 % \
                 is left. An exhausted key signs \
                 nothing more (status 5). Publish the next public key before that.",
            ),
            (
                "Audits.",
                "`key log DIR` prints what was signed when. `--check` verifies that no record was changed or removed.",
            ),
            (
                "Older versions.",
                "A key of an earlier version of this program is upgraded by the first command that opens it. Its old log \
                 is kept as log-1.",
            ),
            (
                "Damage.",
                "The program rebuilds a damaged or lost cache, and `key export-public DIR -o DIR/public.pem` writes \
                 public.pem again. Damaged files key, state and log cannot be repaired; they are refused (status 7).",
            ),
            (
                "Owners.",
                "Run all commands as the user that owns DIR. Other users are refused, and so is root. `chown -R USER \
                 DIR` gives a key to another user.",
            ),
        ],
    );
    let restored = list(
        "After a backup or a snapshot was restored, or a machine was cloned:",
        &[
            ("1.", "Sign nothing, even if nothing is refused. Stop automatic jobs that sign."),
            ("2.", "Look for a later copy. If there is one, use it, and delete the restored one."),
            (
                "3.",
                "Find the newest signature that was ever made with the key, on any machine (`verify --json` shows its \
                 index), and the last index that `key split` gave away since. If you cannot determine both with \
                 certainty, the key is lost: go to step 6.",
            ),
            (
                "4.",
                "Run `key adopt DIR --at-least N`, with N above all of these indices; rather too high than too low, as \
                 indices are cheap. `key adopt DIR --from-signature FILE` takes N from the signature. It checks that \
                 the signature is from this key; it cannot check that it is the newest one.",
            ),
            ("5.", "Run `key status DIR`: next is N or higher. Continue to sign."),
            (
                "6.",
                "If the key is lost, delete DIR and its copies, and publish the next public key. If two signatures may \
                 have been made with one index, withdraw the old public key: it must not be trusted any more.",
            ),
        ],
    );
    let files = list(
        "Files of DIR (accessible to its owner only):",
        &[
            ("key", "The secret; written again only by `key passphrase`"),
            ("state", "Which indices are used"),
            ("log", "A record of each commit"),
            ("lock", "Locked while a command signs; stays when no command runs, and must not be removed"),
            ("cache", "Nodes of the trees; public"),
            ("public.pem", "The public key"),
        ],
    );
    format!("{topics}\n{restored}\n{files}")
}
