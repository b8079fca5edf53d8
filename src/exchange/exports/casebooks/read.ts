/** Reads casebooks: what the reader may see of each participant, response by response in the order of the schedule. */

import { layoutById } from '#conduct/responses/store'
import { readResponse } from '#conduct/responses/views'
import { reviewOf } from '#conduct/review/review'
import { rowById } from '#db/rows'
import { users } from '#db/tables/index'
import { occurrenceName } from '#design/schedule/occurrences'
import type { ExportContext } from '#exchange/exports/context'
import { oncePerKey, placeTexts } from '#exchange/exports/datasets/identity'
import { participantPages } from '#exchange/exports/datasets/participantPages'
import type { PackageDescription } from '#exchange/exports/packages/readme'
import { type ExportRow, everyColumn, type KeptParticipant } from '#exchange/exports/store'
import type { Id } from '#kernel/id'
import { questionsOf } from './answers'
import { historyOf } from './history'
import { type CasebookContext, factLine, moment, senderText, smallLine } from './lines'
import type { Casebook, Line } from './model'

type Review = ReturnType<typeof reviewOf>
type Query = Review['queries'][number]

const personReader = ({ db }: ExportContext) =>
  oncePerKey((_id: Id | null): string => {
    if (_id === null) return 'an automatic rule'
    const user = rowById(db, users, _id)
    return user ? [user.name, user.email].filter(Boolean).join(', ') : _id
  })

/** Each casebook; without a response only if no filter asks about responses. Call it in one transaction. */
export function* casebooks(
  from: ExportContext,
  about: PackageDescription,
  { withHistory, isFiltered }: { withHistory: boolean; isFiltered: boolean },
): Generator<{ participantId: string; rows: number; book: Casebook }> {
  const questions = oncePerKey((stage: Id) => questionsOf(from, stage))
  const context: CasebookContext = { from, about, withHistory, questions, person: personReader(from) }
  const order = new Map(from.stages.map(({ _id }, at) => [_id, at]))
  const placeOf = ({ stage }: ExportRow) => order.get(stage) ?? 0
  for (const page of participantPages(from, everyColumn)) {
    for (const { owner, rows } of page) {
      if (isFiltered && !rows.length) continue
      rows.sort((a, b) => placeOf(a) - placeOf(b) || a.stageRecurrence - b.stageRecurrence)
      yield { participantId: owner.participantId, rows: rows.length, book: casebookOf(context, owner, rows) }
    }
  }
}

function casebookOf(context: CasebookContext, owner: KeptParticipant, rows: ExportRow[]): Casebook {
  const { from, about } = context
  const places = placeTexts(from.placeNames)
  const all = reviewOf(
    from.db,
    rows,
    (row) => from.visibility({ ...row, ...owner }).hidden,
    () => '',
  )
  const requestTexts = Object.entries(about.asked).map(
    ([name, value]) => `${name}=${Array.isArray(value) ? value.join(',') : value}`,
  )
  return {
    at: about.at,
    title: `Casebook: ${owner.participantId}`,
    about: `${about.study.name} · data of ${moment(about.at)}`,
    lines: [
      factLine('Study', `${about.study.name} (${about.study.code})`),
      factLine('Participant ID', owner.participantId),
      factLine('Sites', places(owner.sites) ?? 'None'),
      factLine('Groups', places(owner.groups) ?? 'None'),
      factLine('Data of', moment(about.at)),
      factLine('Made for', about.email),
      factLine('Made by', `Trialbox ${about.version}`),
      factLine('Asked for', requestTexts.join('; ')),
      factLine('Responses', String(rows.length)),
      smallLine('Answers that this reader may not see are left out. All times are in UTC.'),
      ...rows.flatMap((row) => responseLines(context, row, owner, all)),
    ],
  }
}

function responseLines(context: CasebookContext, row: ExportRow, owner: KeptParticipant, all: Review): Line[] {
  const { from, questions, withHistory } = context
  const { hidden } = from.visibility(owner)
  const shown = readResponse(
    from.db,
    from.configuration,
    row,
    { _id: owner.participant, id: owner.participantId },
    hidden,
  )
  const { positions } = layoutById(from.db, row.layout)
  const stage = from.configuration.stages.get(row.stage)
  const name = stage ? occurrenceName(stage, row.stageRecurrence) : row.stage
  const queries = all.queries.filter(({ response }) => response === row._id)
  const marks = new Map(all.responseValidations[row._id]?.map((mark) => [mark.dataType, mark]))
  const entries = Object.values(shown.response)
  const entryTimes = entries.flatMap(({ enteredAt }) => enteredAt ?? [])
  const senders = [...new Set(entries.map((entry) => senderText(context, entry)))]
  const head = [
    { as: 'chapter', text: `${name} · occurrence ${row.stageRecurrence + 1}` } as const,
    factLine('Recorded', moment(row.createdAt)),
    ...(row.updatedAt === row.createdAt ? [] : [factLine('Last changed', moment(row.updatedAt))]),
    factLine('Entered', entryTimes.length ? moment(Math.min(...entryTimes)) : 'As recorded'),
    factLine('Sent by', senders.join('; ')),
    factLine('Status', row.status ?? 'None'),
    factLine('Score', shown.score === undefined ? '' : String(shown.score)),
    ...(row.partialSubmission ? [factLine('Note', 'Required answers are blank.')] : []),
  ]
  const answers = questions(row.stage).flatMap(({ _id, code, name, linesOf }): Line[] => {
    if (hidden(_id)) return []
    const entry = shown.response[_id]
    const written = entry ? linesOf(entry.value) : []
    const blank = positions.has(_id) ? 'Blank' : 'Not asked'
    const mark = marks.get(_id)
    return [
      { as: 'name', text: `${name} [${code}]` },
      ...(written.length ? written : [blank]).map((text): Line => ({ as: 'answer', text })),
      ...(entry ? [smallLine(`Recorded ${moment(entry.createdAt)} by ${senderText(context, entry)}`)] : []),
      ...(entry?.enteredAt === undefined
        ? []
        : [smallLine(`Entered ${moment(entry.enteredAt)}${entry.sentLate ? ', sent late' : ''}`)]),
      ...(mark
        ? [smallLine(`Verified against the source ${moment(mark.verifiedAt)} by ${context.person(mark.verifiedBy)}`)]
        : []),
      ...queries.filter(({ dataType }) => dataType === _id).flatMap((query) => queryLines(context, query)),
    ]
  })
  const known = new Set(questions(row.stage).map(({ _id }) => _id))
  const others = queries.filter(({ dataType }) => dataType === null || !known.has(dataType))
  return [
    ...head,
    ...answers,
    ...(others.length ? [{ as: 'name', text: 'Queries about the response' } as const] : []),
    ...others.flatMap((query) => queryLines(context, query)),
    ...signatureLines(all, row._id),
    ...(withHistory ? historyOf(context, row, hidden) : []),
  ]
}

const queryLines = ({ person }: CasebookContext, { createdAt, createdBy, status, messages }: Query): Line[] => [
  smallLine(`Query, ${status}: raised ${moment(createdAt)} by ${person(createdBy)}`),
  ...messages.map(({ createdAt, createdBy, text }) => smallLine(`${moment(createdAt)}, ${person(createdBy)}: ${text}`)),
]

function signatureLines({ signatures }: Review, response: Id): Line[] {
  const signed = signatures.flatMap((signature) => {
    const own = signature.responses.find((each) => each.response === response)
    return own ? [{ signature, own }] : []
  })
  if (!signed.length) return []
  return [
    { as: 'name', text: 'Signatures' },
    ...signed.flatMap(({ signature: { meaning, signer, signedAt, isCasebook, valid }, own }) => [
      { as: 'answer', text: `${meaning}: ${signer.name}, ${moment(signedAt)}` } as const,
      smallLine(
        own.valid
          ? `Valid for this response${valid ? '' : '; not for all that was signed with it'}${isCasebook ? ' (whole casebook)' : ''}`
          : 'Not valid any more: the response was changed after it was signed',
      ),
      ...(own.hash === undefined ? [] : [smallLine(`SHA-256 of the signed response: ${own.hash}`)]),
    ]),
  ]
}
