//! The patterns of commands that lose files: several rules find the same one, each at its places.

use crate::detectors::pattern::{Pattern, PatternProof};
use crate::model::finding::Severity;

/// The guard, its state or what starts it.
pub(super) static GUARD: Pattern = Pattern {
    id: "SF-002",
    name: "Guard Tampering",
    aliases: &[],
    regression_type: None,
    severity: Severity::Critical,
    what: "A command would decide for the guard, stop it, or change its program, its state or its settings.",
    why: "A guard that the guarded can switch off guards nothing.",
    instead: "The guard, its state and its open questions belong to the person who set it up; they can decide in their own terminal.",
    proof: PatternProof::Commands {
        catches: &["steadfast gate approve", "rm -rf .aiwg/ralph", "echo {} > .claude/settings.json"],
        spares: &["steadfast status", "rm -rf dist", "cat .claude/settings.json"],
    },
};

/// A large part of the project.
pub(super) static BULK: Pattern = Pattern {
    id: "SF-010",
    name: "Bulk Loss Of Project Files",
    aliases: &[],
    regression_type: None,
    severity: Severity::Critical,
    what: "A source folder, most of the tracked files, the repository or the whole project would be gone.",
    why: "Nobody means to give up the work as a whole, and what is not committed does not come back.",
    instead: "Single files that are no longer needed can be removed by name, and stay restorable.",
    proof: PatternProof::Commands {
        catches: &["rm -rf src", "cd src && rm -rf *", "rm -rf .git", "find src -delete"],
        spares: &["rm src/a.ts", "rm -rf node_modules", "rm -rf docs"],
    },
};

/// A place outside of the project.
pub(super) static OUTSIDE: Pattern = Pattern {
    id: "SF-011",
    name: "Change Outside The Project",
    aliases: &[],
    regression_type: None,
    severity: Severity::Critical,
    what: "Files of the system, of a home or of another place outside of the project would be deleted or changed.",
    why: "Nothing there is kept before the call, and others depend on it.",
    instead: "Files outside of the project can't be kept or put back from here; the work inside of the project goes on without them.",
    proof: PatternProof::Commands {
        catches: &["rm -rf /", "rm -rf /etc", "echo x > /etc/passwd", "chmod -R 777 /"],
        spares: &["rm -rf src/old", "rm -rf /tmp/nothing-here", "cat /etc/passwd"],
    },
};

/// More files than can be kept.
pub(super) static TOO_MUCH: Pattern = Pattern {
    id: "SF-015",
    name: "More Than Can Be Kept",
    aliases: &[],
    regression_type: None,
    severity: Severity::High,
    what: "A command would delete or write more files than can be copied before it runs.",
    why: "What neither git nor a copy holds is gone for good.",
    instead: "A narrower choice of files stays within what can be kept and put back.",
    proof: PatternProof::Session,
};

/// A device or a volume.
pub(super) static DEVICE: Pattern = Pattern {
    id: "SF-017",
    name: "Device Overwritten",
    aliases: &[],
    regression_type: None,
    severity: Severity::Critical,
    what: "A disk, a partition or a volume would be overwritten or given up.",
    why: "All that is on it is gone at once.",
    instead: "An image file in the project serves the same purpose without touching a device.",
    proof: PatternProof::Commands {
        catches: &["dd if=/dev/zero of=/dev/sda", "mkfs.ext4 /dev/sdb1", "dd if=disk.img of=/dev/nvme0n1"],
        spares: &["echo x > /dev/null", "dd if=/dev/zero of=disk.img count=1", "docker volume ls"],
    },
};
