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

/** The refusal for a failure of the machine: 507 if the disk is full, else 503. Undefined for any other error. */
export function machineRefusal(reason: unknown): Problem | undefined {
  if (isDiskFull(reason)) return refuse.diskFull()
  return isMachineFailure(reason) ? refuse.unusableDisk() : undefined
}

/** The refusal for any error that is not one: of the machine, or 500 for a defect of the program. */
export const refusalOf = (reason: unknown): Problem => machineRefusal(reason) ?? refuse.defect()
