/** Reads a study for an export in the shape of SDTM: participant by participant, what the reader may see of each. */
import type { Access } from '#access/caller'
import { readResponse } from '#conduct/responses/views'
import { occurrenceName } from '#design/schedule/occurrences'
import { trialById } from '#design/trials/store'
import type { ExportContext } from '#exchange/exports/context'
import { participantPages } from '#exchange/exports/datasets/participantPages'
import { type ExportRow, everyColumn, type KeptParticipant } from '#exchange/exports/store'
import { found, refuse } from '#kernel/problem'
import { zoneOf } from '#kernel/zones'
import { TEXT_BYTES } from '#writers/xpt/transport5'
import { factsReader, type StudyArms } from './facts'
import type { Library } from './match'
import { planOf, type SdtmPlan } from './plan'
import { type FormAnswers, type Omission, recordsOf } from './records'
import { type SubjectRows, subjectRows } from './subject'
import type { DomainName } from './variables'

/** After so many pages garbage is collected: by itself the heap of the thread grows much more. */
const COLLECTED = 10

/** What was read, besides the rows. */
export type StudyData = { plan: SdtmPlan; arms: StudyArms; leftOut: readonly (Omission & { count: number })[] }

/** Reads everything. Call it in one transaction. @param add gets the rows of each participant */
export function readStudy(
  from: ExportContext,
  library: Library,
  access: Access,
  add: (rows: SubjectRows) => void,
): StudyData {
  const { db, trial } = from
  const { code, timezone } = found(trialById(db, trial), 'trial')
  const zone = zoneOf(timezone ?? 'UTC')
  const plan = planOf(from, library, occurrenceName)
  const facts = factsReader(db, trial, access)
  const counts = new Map<string, Omission & { count: number }>()
  const order = new Map(from.stages.map(({ _id }, at) => [_id, at]))
  let pages = 0
  for (const page of participantPages(from, everyColumn)) {
    if (++pages % COLLECTED === 0) Bun.gc(true)
    for (const { owner, rows } of page) {
      requireRoom(`${code}-${owner.participantId}`)
      rows.sort(
        (a, b) => (order.get(a.stage) ?? 0) - (order.get(b.stage) ?? 0) || a.stageRecurrence - b.stageRecurrence,
      )
      const forms = rows.flatMap((row) => answersOf(from, plan, row, owner))
      const subject = {
        ...{ study: code, id: owner.participantId, site: siteOf(from, owner), zone },
        ...{ facts: facts.of(owner), isRandomised: facts.study.count > 0 },
      }
      const groups = new Map<DomainName, number>()
      const groupOf = (domain: DomainName) => {
        const next = (groups.get(domain) ?? 0) + 1
        groups.set(domain, next)
        return String(next)
      }
      const made = forms.map((form) => recordsOf(form, zone, groupOf))
      const visits = forms.flatMap(({ plan, n, at }) => {
        const visit = plan.visit(n)
        return visit ? [{ ...visit, at }] : []
      })
      const done = subjectRows(subject, made, visits)
      for (const each of done.omissions) count(counts, each)
      add(done)
    }
  }
  return { plan, arms: facts.study, leftOut: [...counts.values()] }
}

function count(counts: Map<string, Omission & { count: number }>, omission: Omission): void {
  const key = JSON.stringify([omission.stage, omission.question, omission.why])
  const known = counts.get(key)
  if (known) known.count += 1
  else counts.set(key, { ...omission, count: 1 })
}

/** Refuses an identifier that must be cut: two subjects could then have the same one. */
function requireRoom(subject: string): void {
  if (Buffer.byteLength(subject) > TEXT_BYTES) throw refuse.bad('subjectTooLong', { subject, most: TEXT_BYTES })
}

/** The only site of a participant; null if there are none or several. */
function siteOf({ placeNames }: ExportContext, { sites }: KeptParticipant): string | null {
  return sites === null || sites.includes(',') ? null : (placeNames.get(sites) ?? sites)
}

/** The answers of a response that the reader may see; none if its stage is not in the export. */
function answersOf(from: ExportContext, { stages }: SdtmPlan, row: ExportRow, owner: KeptParticipant): FormAnswers[] {
  const plan = stages.get(row.stage)
  if (!plan) return []
  const { hidden } = from.visibility(owner)
  const participant = { _id: owner.participant, id: owner.participantId }
  const { response } = readResponse(from.db, from.configuration, row, participant, hidden)
  const entries = Object.entries(response)
  const entryTimes = entries.flatMap(([, { enteredAt }]) => enteredAt ?? [])
  const at = entryTimes.length ? Math.min(...entryTimes) : row.createdAt
  return [
    { plan, n: row.stageRecurrence, at, answers: entries.map(([dataType, { value }]) => [dataType, value] as const) },
  ]
}
