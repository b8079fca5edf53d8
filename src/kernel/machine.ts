/** Failures of the machine: a full disk, a folder that cannot be written, a file that cannot be read. */
import { type Problem, refuse } from './problem'

const FULL = /^(ENOSPC|EDQUOT|SQLITE_FULL)$/
/** Codes of the operating system, and those of SQLite that the file or its folder causes. */
const UNUSABLE = /^(E[A-Z0-9]+|SQLITE_(IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|PERM|AUTH)(_[A-Z]+)*)$/

const codeOf = (reason: unknown): string =>
  reason instanceof Error && 'code' in reason && typeof reason.code === 'string' ? reason.code : ''

/** Whether the machine failed and not the program. */
export const isMachineFailure = (reason: unknown): boolean => UNUSABLE.test(codeOf(reason)) || isDiskFull(reason)

/** Whether there is no room on the disk for what should be written. */
export const isDiskFull = (reason: unknown): boolean => FULL.test(codeOf(reason))

/** Codes of SQLite, each with a message that says what is wrong and what to do. */
const OF_DATABASE: readonly [RegExp, string][] = [
  [
    /^SQLITE_(CORRUPT|NOTADB)/,
    'The database is damaged. Stop the server, keep a copy of the data directory as it is, and restore the last good backup into a new directory: see /manual/backup#restore.',
  ],
  [
    /^SQLITE_(READONLY|CANTOPEN|PERM|AUTH)/,
    'This user cannot open or write the database. Run the command as the user of the server, or give that user the data directory and all files in it.',
  ],
  [/^SQLITE_(BUSY|LOCKED)/, 'Another program is using the database. End that program, or wait and try again.'],
  [
    /^SQLITE_IOERR/,
    'The disk with the database cannot be read or written. Look for faults of the disk, then try again.',
  ],
]

/** The message about a failure of the machine for a person who runs a command; undefined for any other error. */
export function machineFailureText(reason: unknown): string | undefined {
  if (isDiskFull(reason)) return 'The disk is full. Make room and try again.'
  const code = codeOf(reason)
  const path = (reason as { path?: unknown } | null)?.path
  if (/^(EACCES|EPERM|EROFS)$/.test(code) && path !== undefined)
    return `This user cannot read or write ${path} (${code}). Run the command as the user of the server, or change the owner of the file.`
  const sentence = OF_DATABASE.find(([codes]) => codes.test(code))?.[1]
  if (sentence !== undefined) return `${sentence} (SQLite: ${(reason as Error).message})`
  return /^(E[A-Z0-9]+|SQLITE_[A-Z_]+)$/.test(code) ? (reason as Error).message : undefined
}

/** The refusal for a failure of the machine: 507 if the disk is full, else 503. Undefined for any other error. */
export function machineRefusal(reason: unknown): Problem | undefined {
  if (isDiskFull(reason)) return refuse.diskFull()
  return isMachineFailure(reason) ? refuse.unusableDisk() : undefined
}

/** The refusal for any error that is not one: of the machine, or 500 for a defect of the program. */
export const refusalOf = (reason: unknown): Problem => machineRefusal(reason) ?? refuse.defect()
