/** The checks of the database and its files: what `trialbox verify` performs, and a backup and a restore too. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { headLine, headsIn, verifyDeletedChains, verifyHeads } from '#audit/heads'
import { findLostHeads, lossText, readHeadsFile } from '#audit/headsFile'
import { type Head, headsOf } from '#audit/store'
import { verifyChains } from '#audit/verify'
import { verifyReads } from '#audit/verifyReads'
import { verifyRows } from '#audit/verifyRows'
import { verifyQueries } from '#conduct/queries/verify'
import { verifyResponses } from '#conduct/responses/verify'
import { verifySignatures } from '#conduct/signatures/verify'
import { verifyProgress } from '#conduct/timeline/verify'
import { verifyFiles } from '#conduct/uploads/verify'
import { verifyCounts } from '#db/counts'
import { beginSnapshot, brokenReference, integrityProblem, openUnchecked, passesQuickCheck } from '#db/file'
import type { Sqlite } from '#db/open'
import { checkSchema, newestSchema, schemaVersion } from '#db/schemaVersion'
import { verifySchema } from '#db/verifySchema'
import { verifyVersions } from '#design/configurationVersions/verify'
import { verifyDeletions } from '#design/deletions/verify'
import { fault, isFault } from '#kernel/fault'
import { machineFailureText } from '#kernel/machine'
import { verifyDispensing, wrongPacks } from '#office/dispensations/verify'
import { verifyMasterFiles } from '#office/files/verify'
import { verifyWallets } from '#office/incentives/wallet/verify'
import { verifyPackIndex } from '#office/packs/index/maintenance'
import { inThisVersion } from '#server/backup/upgrade'
import { configure } from '#server/config/settings'
import { readDataDirectory, requireUsed } from '#server/process/dataDirectory'
import { secretsCheck } from '#server/secrets/verify'
import type { Call } from './command'

/**
 * One check. It returns what it checked, in words. `isDerived`: of values that follow from the data, which `repair --derived` computes
 * anew if they are wrong. @throws a fault that names the first error
 */
export type Check = {
  name: string
  isDerived?: true
  run(sqlite: Sqlite): string
  /** Whether it is performed after a fault of the rows, too: it names what they are, such as the pack that a patient has. */
  namesRows?: true
  /** What people should know though nothing is damaged, a sentence each. */
  notes?(sqlite: Sqlite): string[]
}

/** All checks of the database, in the order in which they run. */
export const checks: readonly Check[] = [
  {
    name: 'database file',
    run(sqlite) {
      const damage = integrityProblem(sqlite)
      if (damage) throw fault(`it is damaged: ${damage}`)
      return 'sound'
    },
  },
  {
    name: 'references',
    run(sqlite) {
      const broken = brokenReference(sqlite)
      if (broken) throw fault(`row ${broken.rowid} of ${broken.table} refers to nothing in ${broken.parent}`)
      return 'every row has what it refers to'
    },
  },
  {
    name: 'audit trail',
    run(sqlite) {
      const chains = verifyChains(sqlite)
      const broken = chains.find((chain) => chain.fault)
      if (broken?.fault) throw fault(`entry ${broken.fault.number} of chain ${broken.chain}: ${broken.fault.problem}`)
      verifyDeletedChains(sqlite)
      return `${chains.reduce((sum, { entries }) => sum + entries, 0)} entries in ${chains.length} chains fit`
    },
  },
  { name: 'responses', run: verifyResponses },
  { name: 'signatures', run: verifySignatures },
  { name: 'queries', run: verifyQueries },
  { name: 'versions', run: verifyVersions },
  { name: 'rows', run: verifyRows },
  { name: 'reads', run: verifyReads },
  { name: 'deletions', run: verifyDeletions },
  { name: 'timelines', isDerived: true, run: (sqlite) => verifyProgress(sqlite) },
  { name: 'master files', run: verifyMasterFiles },
  { name: 'packs', isDerived: true, run: verifyPackIndex },
  {
    name: 'dispensing',
    namesRows: true,
    run: verifyDispensing,
    notes: (sqlite) => wrongPacks(sqlite).map(({ sentence }) => sentence),
  },
  { name: 'wallets', run: verifyWallets },
  { name: 'counts', isDerived: true, run: verifyCounts },
]

/** All that is wrong with the data in a database, a sentence for each check. */
export const problemsIn = (sqlite: Sqlite): string[] =>
  failuresOf(
    checks.filter(({ isDerived }) => !isDerived),
    sqlite,
  )

/** All values that do not follow from the data in a database, a sentence for each check. */
export const staleIn = (sqlite: Sqlite): string[] =>
  failuresOf(
    checks.filter(({ isDerived }) => isDerived),
    sqlite,
  )

const failuresOf = (some: readonly Check[], sqlite: Sqlite): string[] =>
  some.flatMap(({ name, run }) => {
    try {
      run(sqlite)
      return []
    } catch (error) {
      return [`${name}: ${(error as Error).message}`]
    }
  })

/**
 * The check of what the database is made of. It is not among those of backups and restores, whose database another version of this
 * program may have written: that may have other triggers, and each start makes them anew.
 */
const schemaCheck: Check = { name: 'schema', run: verifySchema }

/** Finds damage in the file, in a part of the time that all checks take. */
const quickCheck: Check = {
  name: 'database file',
  run(sqlite) {
    if (!passesQuickCheck(sqlite)) throw fault('it is damaged')
    return 'sound'
  },
}

/**
 * Performs the command `verify`. Returns the exit code: 1 if the data is wrong, 2 if only values that follow from it are.
 * @param isRestored whether an archive was restored to be verified, and no server has started there
 */
export function verify({ flags, env, print }: Pick<Call, 'flags' | 'env' | 'print'>, isRestored = false): number {
  const { heads, against, quick, ...known } = flags
  const { root, database, files, backups, keysFor } = readDataDirectory(configure(known, env).data)
  requireUsed(root)
  const kept = keptHeadsCheck(join(root, 'heads')) // read before the database: the server may write both meanwhile
  const recorded = against === undefined ? [] : headsFrom(`${against}`)
  const all: readonly Check[] = quick
    ? [quickCheck]
    : [
        ...checks,
        ...(isRestored ? [] : [schemaCheck]),
        kept,
        secretsCheck(keysFor('storage')),
        filesCheck(files),
        ...(recorded.length ? [headsCheck(recorded)] : []),
      ]
  const verifyAll = (sqlite: Sqlite): number => {
    beginSnapshot(sqlite) // so that all checks see the same state while the server writes
    const stale: string[] = []
    for (const check of all) {
      const result = resultOf(check, sqlite, print)
      if (result === 'stale') stale.push(check.name)
      if (result !== 'fault') continue
      if (check.name === 'rows') for (const naming of all) if (naming.namesRows) resultOf(naming, sqlite, print)
      process.stderr.write('trialbox: something does not fit. See /manual/backup#verify-faults.\n')
      return 1
    }
    if (heads) for (const head of headsOf(sqlite)) print(headLine(head))
    if (!stale.length) return 0
    process.stderr.write(
      `trialbox: the data is right, but values that follow from it are not (${stale.join(', ')}). \`trialbox repair --derived\` computes them anew.\n`,
    )
    return 2
  }
  const sqlite = openUnchecked(database, 10_000)
  try {
    const older = olderVersion(sqlite)
    if (older === undefined) return verifyAll(sqlite)
    print(`note   ${'schema'.padEnd(15)} version ${older}, verified as an upgrade makes it version ${newestSchema}`)
    return inThisVersion(sqlite, backups, verifyAll)
  } finally {
    sqlite.close()
  }
}

/**
 * The schema version of the database if it is older than this program's; the checks report one that cannot be read.
 * @throws a fault for a newer version
 */
function olderVersion(sqlite: Sqlite): number | undefined {
  try {
    checkSchema(sqlite)
    const version = schemaVersion(sqlite)
    return version < newestSchema ? version : undefined
  } catch (error) {
    if (isFault(error)) throw error
    return undefined
  }
}

/** Reads the recorded heads from a file. @throws a fault if the file has none */
function headsFrom(path: string): Head[] {
  const heads = existsSync(path) ? headsIn(readFileSync(path, 'utf8')) : []
  if (!heads.length) throw fault(`There are no heads in ${path}: \`trialbox verify --heads\` prints them.`)
  return heads
}

/** The check of the files. It runs last because it takes longest. */
const filesCheck = (folder: string): Check => ({ name: 'files', run: (sqlite) => verifyFiles(sqlite, folder) })

/** The check that the audit trail holds the heads that the server kept beside the database. */
function keptHeadsCheck(path: string): Check {
  let kept: Head[] | undefined
  let damage: unknown
  try {
    kept = readHeadsFile(path)
  } catch (error) {
    damage = error
  }
  return {
    name: 'kept heads',
    run(sqlite) {
      if (!kept) throw damage
      const lost = findLostHeads(sqlite, kept)
      if (lost.length) throw fault(`the database lacks changes that it held before: ${lossText(lost)}`)
      return `${kept.length} chains hold what the server kept`
    },
  }
}

/** The check that the audit trail still holds the recorded heads. */
const headsCheck = (recorded: readonly Head[]): Check => ({
  name: 'heads',
  run(sqlite) {
    verifyHeads(sqlite, recorded)
    return `${recorded.length} chains hold what they ended with`
  },
})

/** Performs one check and prints its result. A database too damaged to be queried fails the check, too. */
function resultOf({ name, isDerived, run, notes }: Check, sqlite: Sqlite, print: (line: string) => void) {
  const failure = isDerived ? 'stale' : 'fault'
  try {
    print(`ok     ${name.padEnd(15)} ${run(sqlite)}`)
    for (const note of notes?.(sqlite) ?? []) print(`note   ${name.padEnd(15)} ${note}`)
    return 'ok'
  } catch (error) {
    print(`${failure}  ${name.padEnd(15)} ${machineFailureText(error) ?? (error as Error).message}`)
    return failure
  }
}
