import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import { expiredTrainings, type LastTrainings, lastTrainingsAt } from '#office/training/store'
import type { Cell, Sheet } from '#writers/cell'
import { stateOf } from './rules'
import { signatureHash } from './sign'
import { type DelegationRow, delegationsOf, signaturesOn } from './store'

/** An entry as the API shows it. @param today in the zone of the trial; @param last of the site, for many entries */
export function delegationView(
  db: Db,
  row: DelegationRow,
  today: string,
  last: LastTrainings = lastTrainingsAt(db, row.site),
) {
  const signatures = signaturesOn(db, row._id).map(({ hash, delegation, trial, ...signature }) => ({
    ...signature,
    hash,
    valid: signatureHash(row, { delegation, trial, ...signature }) === hash,
  }))
  const signed = signatures.map(({ signedAs }) => signedAs)
  return {
    ...row,
    state: stateOf(row, signed, today),
    expiredTrainings: expiredTrainings(row.user, last, today),
    signatures,
  }
}

export type DelegationView = ReturnType<typeof delegationView>

/** Entries of a site, oldest first: all, or a part. */
export function delegationViews(db: Db, site: Id, today: string, limit?: number, skip?: number): DelegationView[] {
  const last = lastTrainingsAt(db, site)
  return delegationsOf(db, site, limit, skip).map((row) => delegationView(db, row, today, last))
}

const COLUMNS = [
  ...['userName', 'user', 'role', 'tasks', 'otherTasks', 'startsOn', 'endsOn', 'state'],
  ...['signedByPerson', 'signedByInvestigator', 'investigator', 'expiredTrainings'],
  ...['createdAt', 'createdBy', 'endedAt', 'endedBy', 'endReason', '_id'],
]

/** The delegation log of a site as a table. */
export const delegationSheet = (entries: readonly DelegationView[]): Sheet => ({
  name: 'delegation log',
  columns: COLUMNS.map((header) => ({ header })),
  rows: entries.map((entry): Cell[] => {
    const { userName, user, role, tasks, otherTasks, startsOn, endsOn, state, signatures } = entry
    const [person, investigator] = (['person', 'investigator'] as const).map((as) =>
      signatures.find(({ signedAs }) => signedAs === as),
    )
    return [
      ...[userName, user, role, tasks.join('; '), otherTasks, startsOn, endsOn, state],
      ...[person && { at: person.signedAt }, investigator && { at: investigator.signedAt }, investigator?.userName],
      ...[entry.expiredTrainings.join('; ') || null, { at: entry.createdAt }, entry.createdBy],
      ...[entry.endedAt === null ? null : { at: entry.endedAt }, entry.endedBy, entry.endReason, entry._id],
    ]
  }),
})
