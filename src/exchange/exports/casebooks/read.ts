/** Reads casebooks: what the reader may see of each participant, response by response in the order of the schedule. */

import { readResponse } from '#conduct/responses/read'
import { layoutById } from '#conduct/responses/store'
import { reviewOf } from '#conduct/review/review'
import { rowById } from '#db/rows'
import { users } from '#db/tables/index'
import { occurrenceName } from '#design/schedule/occurrences'
import type { ExportContext } from '#exchange/exports/context'
import { memoize, placeTexts } from '#exchange/exports/datasets/identity'
import { participantPages } from '#exchange/exports/datasets/participantPages'
import type { PackageAbout } from '#exchange/exports/packages/readme'
import { type ExportRow, everyColumn, type KeptParticipant } from '#exchange/exports/store'
import type { Id } from '#kernel/id'
import { questionsOf } from './answers'
import { historyOf } from './history'
import type { Casebook, Line } from './model'
import { fact, moment, type Reader, sender, small } from './words'

type Review = ReturnType<typeof reviewOf>
type Query = Review['queries'][number]

const people = ({ db }: ExportContext) =>
  memoize((_id: Id | null): string => {
    if (_id === null) return 'an automatic rule'
    const user = rowById(db, users, _id)
    return user ? [user.name, user.email].filter(Boolean).join(', ') : _id
  })

/** Each casebook; without a response only if no filter asks about responses. Call it in one transaction. */
export function* casebooks(
  from: ExportContext,
  about: PackageAbout,
  { withHistory, isFiltered }: { withHistory: boolean; isFiltered: boolean },
): Generator<{ participantId: string; rows: number; book: Casebook }> {
  const questions = memoize((stage: Id) => questionsOf(from, stage))
  const reader: Reader = { from, about, withHistory, questions, person: people(from) }
  const order = new Map(from.stages.map(({ _id }, at) => [_id, at]))
  const placeOf = ({ stage }: ExportRow) => order.get(stage) ?? 0
  for (const page of participantPages(from, everyColumn)) {
    for (const { owner, rows } of page) {
      if (isFiltered && !rows.length) continue
      rows.sort((a, b) => placeOf(a) - placeOf(b) || a.stageRecurrence - b.stageRecurrence)
      yield { participantId: owner.participantId, rows: rows.length, book: bookOf(reader, owner, rows) }
    }
  }
}

function bookOf(reader: Reader, owner: KeptParticipant, rows: ExportRow[]): Casebook {
  const { from, about } = reader
  const places = placeTexts(from.placeNames)
  const all = reviewOf(
    from.db,
    rows,
    (row) => from.visibility({ ...row, ...owner }).hidden,
    () => '',
  )
  const asked = Object.entries(about.asked).map(
    ([name, value]) => `${name}=${Array.isArray(value) ? value.join(',') : value}`,
  )
  return {
    at: about.at,
    title: `Casebook: ${owner.participantId}`,
    about: `${about.study.name} · data of ${moment(about.at)}`,
    lines: [
      fact('Study', `${about.study.name} (${about.study.code})`),
      fact('Participant ID', owner.participantId),
      fact('Sites', places(owner.sites) ?? 'None'),
      fact('Groups', places(owner.groups) ?? 'None'),
      fact('Data of', moment(about.at)),
      fact('Made for', about.email),
      fact('Made by', `Trialbox ${about.version}`),
      fact('Asked for', asked.join('; ')),
      fact('Responses', String(rows.length)),
      small('Answers that this reader may not see are left out. All times are in UTC.'),
      ...rows.flatMap((row) => responseLines(reader, row, owner, all)),
    ],
  }
}

function responseLines(reader: Reader, row: ExportRow, owner: KeptParticipant, all: Review): Line[] {
  const { from, questions, withHistory } = reader
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
  const given = entries.flatMap(({ enteredAt }) => enteredAt ?? [])
  const senders = [...new Set(entries.map((entry) => sender(reader, entry)))]
  const head = [
    { as: 'chapter', text: `${name} · occurrence ${row.stageRecurrence + 1}` } as const,
    fact('Recorded', moment(row.createdAt)),
    ...(row.updatedAt === row.createdAt ? [] : [fact('Last changed', moment(row.updatedAt))]),
    fact('Entered', given.length ? moment(Math.min(...given)) : 'As recorded'),
    fact('Sent by', senders.join('; ')),
    fact('Status', row.status ?? 'None'),
    fact('Score', shown.score === undefined ? '' : String(shown.score)),
    ...(row.partialSubmission ? [fact('Note', 'Required answers are blank.')] : []),
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
      ...(entry ? [small(`Recorded ${moment(entry.createdAt)} by ${sender(reader, entry)}`)] : []),
      ...(entry?.enteredAt === undefined
        ? []
        : [small(`Entered ${moment(entry.enteredAt)}${entry.sentLate ? ', sent late' : ''}`)]),
      ...(mark
        ? [small(`Verified against the source ${moment(mark.verifiedAt)} by ${reader.person(mark.verifiedBy)}`)]
        : []),
      ...queries.filter(({ dataType }) => dataType === _id).flatMap((query) => queryLines(reader, query)),
    ]
  })
  const known = new Set(questions(row.stage).map(({ _id }) => _id))
  const others = queries.filter(({ dataType }) => dataType === null || !known.has(dataType))
  return [
    ...head,
    ...answers,
    ...(others.length ? [{ as: 'name', text: 'Queries about the response' } as const] : []),
    ...others.flatMap((query) => queryLines(reader, query)),
    ...signatureLines(all, row._id),
    ...(withHistory ? historyOf(reader, row, hidden) : []),
  ]
}

const queryLines = ({ person }: Reader, { createdAt, createdBy, status, messages }: Query): Line[] => [
  small(`Query, ${status}: raised ${moment(createdAt)} by ${person(createdBy)}`),
  ...messages.map(({ createdAt, createdBy, text }) => small(`${moment(createdAt)}, ${person(createdBy)}: ${text}`)),
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
      small(
        own.valid
          ? `Valid for this response${valid ? '' : '; not for all that was signed with it'}${isCasebook ? ' (whole casebook)' : ''}`
          : 'Not valid any more: the response was changed after it was signed',
      ),
      ...(own.hash === undefined ? [] : [small(`SHA-256 of the signed response: ${own.hash}`)]),
    ]),
  ]
}
