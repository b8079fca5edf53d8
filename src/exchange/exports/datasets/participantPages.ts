/** The responses of an export by participant, as they were at its moment, some participants at a time. */
import type { ResponseRow } from '#conduct/responses/store'
import { inReadTransaction } from '#db/readTransaction'
import type { ExportContext } from '#exchange/exports/context'
import { changesSince } from '#exchange/exports/pages'
import { type ExportRow, type KeptParticipant, keptAfter, type NarrowRow } from '#exchange/exports/store'
import type { Id } from '#kernel/id'
import { responsesOfKept } from './store'

/** The participants that are read in one transaction. */
const PARTICIPANTS = 100

/** A participant with the responses of the export, in no order. */
export type OwnedRows<Name extends keyof ResponseRow> = { owner: KeptParticipant; rows: NarrowRow<Name>[] }

/**
 * Each participant of an export that is read in steps, in the order of their `_id`, also those without a response. The caller reads
 * what belongs to the rows before it takes the next page.
 */
export function* participantPages<Name extends keyof ResponseRow>(
  from: ExportContext,
  names: readonly Name[],
): Generator<OwnedRows<Name>[]> {
  const { db, stages, includes } = from
  const included = new Set(stages.map(({ _id }) => _id))
  const read = responsesOfKept(db, [...names, 'stage', 'createdAt', 'status'])
  const before = earlierByParticipant(from)
  for (let after: Id | undefined = ''; after !== undefined; ) {
    const page = inReadTransaction(db, () => {
      const owners = keptAfter(db, after ?? '', PARTICIPANTS)
      before.update()
      return owners.map((owner) => ({ owner, rows: before.corrected(owner.participant, read(owner)) }))
    })
    if (page.length)
      yield page.map(({ owner, rows }) => ({
        owner,
        rows: rows.filter((row) => included.has(row.stage) && (!includes || includes(row))),
      }))
    after = page.length < PARTICIPANTS ? undefined : page.at(-1)?.owner.participant
  }
}

/** What was changed since the moment of the export, by the participant that it belonged to. */
function earlierByParticipant(from: ExportContext) {
  const earlier = new Map<Id, Set<Id>>()
  const { moment } = from
  const noted: Id[] = []
  const changes = moment && changesSince(from, moment, (response) => noted.push(response))
  return {
    update(): void {
      changes?.update()
      for (const response of noted.splice(0)) {
        const owner = changes?.asItWas(response)?.participant
        if (owner) earlier.set(owner, (earlier.get(owner) ?? new Set()).add(response))
      }
    },
    corrected<Row extends { _id: Id }>(participant: Id, rows: Row[]): (Row | ExportRow)[] {
      const same = rows.filter(({ _id }) => !changes?.isChanged(_id))
      return [...same, ...[...(earlier.get(participant) ?? [])].flatMap((_id) => changes?.asItWas(_id) ?? [])]
    },
  }
}
