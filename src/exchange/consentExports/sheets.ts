/** Consents as tables: one row for each consent, statement, step of a session, and participant with a form. */
import type { Cell, Sheet } from '#writers/cell'
import type { ConsentDataset } from './model'
import { type ConsentRecord, consentRecords, mayNamePeople, type Source, statusRecords, titleOf } from './records'

type Count = { rows: number }
type Method = ConsentRecord['verifications'][number]['method']
const METHODS: readonly Method[] = ['email', 'phone', 'whatsapp']

const moment = (at: number | null | undefined): Cell => (at == null ? null : { at })
const joinTexts = (texts: readonly string[]): Cell => (texts.length ? texts.join('; ') : null)

/** The columns of a table: the header, and the cell of a row. `isPersonal`: the column is left out if the reader may not see personal information of any participant. */
type Column<R> = readonly [header: string, cell: (row: R) => Cell, isPersonal?: 'personal']

type FormFields = Pick<ConsentRecord, 'formKey' | 'formName' | 'version'>
const formColumns: readonly Column<FormFields>[] = [
  ['formKey', (row) => row.formKey],
  ['formName', titleOf],
]
type ParticipantFields = Pick<ConsentRecord, 'participantId' | 'sites' | 'groups'>
const participantColumns: readonly Column<ParticipantFields>[] = [
  ['participantId', (row) => row.participantId],
  ['siteIds', (row) => joinTexts(row.sites)],
  ['groups', (row) => joinTexts(row.groups)],
]

const verificationBy = ({ verifications }: ConsentRecord, wantedMethod: Method) =>
  verifications.find(({ method }) => method === wantedMethod)

const consentColumns: readonly Column<ConsentRecord>[] = [
  ['consentId', (row) => row._id],
  ...formColumns,
  ['version', (row) => row.version],
  ['versionSha256', (row) => row.versionHash],
  ...participantColumns,
  ['status', (row) => row.status],
  ['signedAt', (row) => moment(row.signedAt)],
  ['joinedAt', (row) => moment(row.joinedAt)],
  ['startedBy', (row) => row.startedBy],
  ['fullName', (row) => row.fullName, 'personal'],
  ['verifiedBy', (row) => joinTexts(row.verifications.map(({ method }) => method))],
  ...METHODS.flatMap((method): Column<ConsentRecord>[] => [
    [`${method}VerifiedAt`, (row) => moment(verificationBy(row, method)?.verifiedAt)],
    [method, (row) => verificationBy(row, method)?.address, 'personal'],
  ]),
  ['eligibilityConfirmed', (row) => row.eligibilityConfirmed],
  ['hasPhoto', (row) => row.hasPhoto],
  ['confirmed', (row) => joinTexts(row.statements.filter((each) => each.isConfirmed).map(({ id }) => id))],
  ['notConfirmed', (row) => joinTexts(row.statements.filter((each) => !each.isConfirmed).map(({ id }) => id))],
  ['quizAttempts', (row) => row.quiz.length],
  ['quizPassedAt', (row) => moment(row.quiz.find(({ hasPassed }) => hasPassed)?.at)],
  ['signatureMethod', (row) => row.signatureMethod],
  ['pdfSha256', (row) => row.fileHash],
  ['requiresCountersignature', (row) => row.requiresCountersignature],
  ['countersignedAt', (row) => moment(row.countersignedAt)],
  ['countersignedBy', (row) => row.countersignedBy],
  ['countersignatureSha256', (row) => row.countersignedHash],
  ['withdrawnAt', (row) => moment(row.withdrawnAt)],
  ['withdrawnBy', (row) => row.withdrawnBy],
  ['withdrawalReason', (row) => row.withdrawalReason, 'personal'],
]

type Part<P> = { consent: ConsentRecord; part: P }
const partColumns = <P>(): readonly Column<Part<P>>[] =>
  consentColumns
    .filter(([header]) => ['consentId', 'formKey', 'version', 'participantId', 'siteIds', 'groups'].includes(header))
    .map(([header, cell]) => [header, ({ consent }) => cell(consent)])

const statementColumns: readonly Column<Part<ConsentRecord['statements'][number]>>[] = [
  ...partColumns<ConsentRecord['statements'][number]>(),
  ['statement', ({ part }) => part.id],
  ['title', ({ part }) => part.title],
  ['isOptional', ({ part }) => part.isOptional],
  ['isConfirmed', ({ part }) => part.isConfirmed],
  ['requiresInitials', ({ part }) => part.requiresInitials],
  ['initials', ({ part }) => part.initials, 'personal'],
]

const courseColumns: readonly Column<Part<ConsentRecord['course'][number]>>[] = [
  ...partColumns<ConsentRecord['course'][number]>(),
  ['number', ({ part }) => part.number],
  ['at', ({ part }) => moment(part.at)],
  ['type', ({ part }) => part.type],
  ['page', ({ part }) => part.page],
  ['method', ({ part }) => part.method],
  // Options are counted from 1, as people count them.
  ['answers', ({ consent, part }) => answersAt(consent, part)],
]

function answersAt({ quiz }: ConsentRecord, { at, type }: ConsentRecord['course'][number]): Cell {
  const attempt = quiz.find((each) => each.at === at && type === (each.hasPassed ? 'quizPassed' : 'quizFailed'))
  return joinTexts(attempt?.answers?.map((answer) => `${answer + 1}`) ?? [])
}

type Status = ReturnType<typeof statusRecords> extends Generator<infer R> ? R : never
const statusColumns: readonly Column<Status>[] = [
  ['formKey', (row) => row.formKey],
  ['formName', titleOf],
  ...participantColumns,
  ['status', (row) => row.status],
  ['version', (row) => row.version],
  ['newestVersion', (row) => row.newestVersion],
  ['consentId', (row) => row.consent],
  ['signedAt', (row) => moment(row.signedAt)],
]

function sheet<R>(source: Source, name: string, columns: readonly Column<R>[], rows: Iterable<R>, count: Count): Sheet {
  const isShown = mayNamePeople(source) ? () => true : ([, , personal]: Column<R>) => personal === undefined
  const shown = columns.filter(isShown)
  function* cells(): Generator<Cell[]> {
    for (const row of rows) {
      count.rows++
      yield shown.map(([, cell]) => cell(row))
    }
  }
  return { name, columns: shown.map(([header]) => ({ header })), rows: cells() }
}

function* parts<P>(source: Source, of: (record: ConsentRecord) => readonly P[]): Generator<Part<P>> {
  for (const consent of consentRecords(source)) for (const part of of(consent)) yield { consent, part }
}

/** The table of each dataset, read while it is written. @param count counts the rows */
export const sheetsOf = (source: Source, count: Count): Record<ConsentDataset, () => Sheet> => ({
  consents: () => sheet(source, 'Consents', consentColumns, consentRecords(source), count),
  statements: () =>
    sheet(
      source,
      'Statements',
      statementColumns,
      parts(source, (each) => each.statements),
      count,
    ),
  course: () =>
    sheet(
      source,
      'Course',
      courseColumns,
      parts(source, (each) => each.course),
      count,
    ),
  statuses: () => sheet(source, 'Statuses', statusColumns, statusRecords(source), count),
})
