/** Reads everything that is held about a participant, from one state of the database. */

import { concealedIds } from '#access/armConcealmentStore'
import type { Access } from '#access/caller'
import { keys } from '#access/keys'
import { groupsOfParticipant, sitesOfParticipant } from '#conduct/participants/membershipStore'
import { participantById } from '#conduct/participants/store'
import { eventsAbout, heldRows, submissionsAbout } from '#conduct/personalData/store'
import type { ReportTask } from '#conduct/personalData/task'
import { responsesOfParticipant, type SubmissionRow } from '#conduct/responses/store'
import { changesOf } from '#conduct/responses/views'
import type { Db } from '#db/open'
import { personalTables } from '#db/personal'
import { rowsFrom } from '#db/rows'
import { auditEntries } from '#db/tables/index'
import { type Configuration, configuration } from '#design/configuration/configuration'
import { groupsOf } from '#design/groups/store'
import { occurrenceName } from '#design/schedule/occurrences'
import { sitesById } from '#design/sites/store'
import { type Trial, trialById } from '#design/trials/store'
import { visibleEntries } from '#exchange/logs/pages'
import { withTextMoments } from '#exchange/logs/rules'
import type { Id } from '#kernel/id'
import { found } from '#kernel/problem'
import { instantText } from '#kernel/time'

/** A person who may ask for the report may see everything in it. Only arms are left out: they stay blinded for the participant too. */
const FULL_ACCESS: Access = { trial: new Set(keys.filter((key) => key !== 'readRandomisation')), places: new Map() }

/** Tables with a part of their own in the report; the others are under `records`. */
export const PARTS: Readonly<Record<string, string>> = {
  participants: 'participant',
  storedResponses: 'answers',
  storedSubmissions: 'answers',
  responseEvents: 'answers',
  files: 'files',
  auditEntries: 'log',
}

export type Report = ReturnType<typeof reportOf>

/** @throws 404 if the participant was deleted meanwhile */
export const reportOf = (db: Db, { trial: trialId, participant: _id, at }: ReportTask) =>
  db.transaction(() => {
    const trial = found(trialById(db, trialId), 'trial')
    const row = found(participantById(db, _id), 'participant')
    const config = configuration(db, trial)
    const concealed = concealedIds(db, trialId)
    const tables = Object.keys(personalTables).filter((name) => !(name in PARTS))
    const records = tables.flatMap((name): [string, unknown[]][] => {
      const rows = heldRows(db, name, _id).map((row) => blindRow(row, concealed))
      return rows.length ? [[name, rows]] : []
    })
    const { name, code, settings } = trial
    const content = {
      format: 1,
      createdAt: instantText(at),
      trial: { _id: trialId, name, code, sponsor: settings.sponsor ?? null },
      participant: textMoments(heldRows(db, 'participants', _id)[0]!),
      sites: sitesById(db, sitesOfParticipant(db, _id)).map(({ name }) => name),
      groups: groupsOf(db, trialId, { sites: [], groups: groupsOfParticipant(db, _id) }).map(({ name }) => name),
      answers: answersOf(db, config, _id),
      records: textMoments(Object.fromEntries(records)) as Record<string, Record<string, unknown>[]>,
      files: heldRows(db, 'files', _id).flatMap((file) => (file.kind === 'upload' ? [textMoments(file)] : [])),
      log: logOf(db, trial, _id),
    }
    return { content, trial, participant: row }
  })

/** A row without the arm, the type of a pack, and what goes with that, as long as they are concealed. */
function blindRow(row: Record<string, unknown>, concealed: ReadonlySet<Id>): Record<string, unknown> {
  if (![row.arm, row.packType].some((_id) => concealed.has(_id as Id))) return row
  const { arm: _, packType: __, batchNumber: ___, extended: ____, ...open } = row
  return open
}

/** The same row with moments as text. */
const textMoments = (value: unknown) => withTextMoments(value) as Record<string, unknown>

/** Every response with its questions, its answers, and each change of it; also those that were deleted. */
function answersOf(db: Db, config: Configuration, participant: Id) {
  const byResponse = Map.groupBy(submissionsAbout(db, participant), ({ response }) => response)
  const events = Map.groupBy(eventsAbout(db, participant), ({ response }) => response)
  const current = new Map(responsesOfParticipant(db, participant).map((row) => [row._id, row]))
  return [...byResponse].map(([response, submissions]) => {
    const row = current.get(response)
    const [first] = submissions as [SubmissionRow]
    const stage = config.stages.get(first.stage)
    const changes = changesOf(db, submissions)
    const answers = new Map(changes.flat().map(({ dataType, value }) => [dataType, value]))
    return {
      form: stage ? occurrenceName(stage, row?.stageRecurrence ?? first.stageRecurrence) : first.stage,
      stage: first.stage,
      stageRecurrence: row?.stageRecurrence ?? first.stageRecurrence,
      response,
      isDeleted: row === undefined,
      createdAt: instantText(first.at),
      status: row?.status ?? null,
      score: row?.score ?? null,
      answers: [...answers].flatMap(([dataType, value]) =>
        value === null ? [] : [{ question: questionOf(config, first.stage, dataType), dataType, value }],
      ),
      submissions: submissions.map(
        ({ _id, at, createdBy, createdByType, address, device, updateNote, sentLate }, index) => ({
          ...{ _id, at: instantText(at), createdBy, createdByType, address, device, updateNote, sentLate },
          changes: changes[index]!.map(({ enteredAt, ...change }) => ({
            question: questionOf(config, first.stage, change.dataType),
            ...change,
            ...(enteredAt === undefined ? {} : { enteredAt: instantText(enteredAt) }),
          })),
        }),
      ),
      events: (events.get(response) ?? []).map(({ at, content, ...event }) => ({
        ...event,
        at: instantText(at),
        content: withTextMoments(JSON.parse(content)),
      })),
    }
  })
}

/** The question of a form, else the name of its data type. */
const questionOf = ({ stages, dataTypes }: Configuration, stage: Id, dataType: Id): string =>
  stages.get(stage)?.components.find((each) => each.dataType === dataType)?.title ??
  dataTypes.get(dataType)?.name ??
  dataType

/** The entries of the audit trail about the participant, oldest first. */
const logOf = (db: Db, trial: Trial, participant: Id) => {
  const rows = rowsFrom(db, auditEntries, 'WHERE chain = $chain AND participant = $participant ORDER BY number', {
    chain: trial._id,
    participant,
  })
  return visibleEntries(db, trial, FULL_ACCESS, rows).map((entry) => ({
    ...entry,
    createdAt: instantText(entry.createdAt),
  }))
}
