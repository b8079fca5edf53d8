/** The report on a person, line by line, in their language: what the PDF and the page for browsers show. */
import type { Instant } from '#kernel/time'
import type { TextKey } from '#texts/catalogue'
import type { Writer } from '#texts/writer'
import type { Report } from './report'

export type Content = Report['content']

/** A line of the report: a heading, a smaller one, a text, or small print. */
export type Line = { as: 'heading' | 'name' | 'text' | 'small'; text: string }

/** A value as a person reads it. */
function displayText(value: unknown): string {
  if (value === null || value === undefined || (Array.isArray(value) && !value.length)) return '–'
  if (Array.isArray(value)) return value.map(displayText).join(', ')
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([key, each]) => `${key}: ${displayText(each)}`)
      .join('; ')
  return `${value}`
}

function answerLines({ write }: Writer, { answers }: Content): Line[] {
  return answers.flatMap(({ form, isDeleted, createdAt, status, score, answers, submissions, events }) => {
    const title = isDeleted ? write('report.deletedForm', { form }) : form
    const history = submissions.flatMap(({ at, createdByType, address, device, updateNote, changes }): Line[] => {
      const by = [at, createdByType, address, device, updateNote].filter(Boolean).join(' · ')
      const changed = changes.map(
        ({ question, replaced, value }) => `${question}: ${displayText(replaced)} → ${displayText(value)}`,
      )
      return [by, ...(submissions.length > 1 || isDeleted ? changed : [])].map((text) => ({ as: 'small', text }))
    })
    return [
      { as: 'name', text: `${title} (${createdAt.slice(0, 10)})` },
      ...answers.map(({ question, value }): Line => ({ as: 'text', text: `${question}: ${displayText(value)}` })),
      ...(status === null ? [] : [{ as: 'text', text: write('report.status', { status }) } as const]),
      ...(score === null ? [] : [{ as: 'text', text: write('report.score', { score }) } as const]),
      { as: 'small', text: write('report.changes', {}) },
      ...history,
      ...events.map((event): Line => ({ as: 'small', text: displayText(event) })),
    ]
  })
}

/** The tables under each heading; those that none names are under the last one. */
const sections: readonly (readonly [heading: TextKey, ...tables: string[]])[] = [
  ['report.records.messages', 'messages', 'messageReads', 'outbox', 'notificationQueue'],
  ['report.records.notes', 'notes'],
  ['report.records.foodDiary', 'foodDiaryEntries'],
  ['report.records.appointments', 'appointments'],
  ['report.records.queries', 'queries', 'queryMessages'],
  ['report.records.signatures', 'signatures', 'signedResponses', 'verifications'],
  ['report.records.tasks', 'tasks'],
  ['report.records.drafts', 'drafts'],
  ['report.records.memberships', 'participantSites', 'siteParticipants', 'participantGroups'],
  ['report.records.schedule', 'participantAnchors', 'stageOverrides', 'scheduleRuns'],
  ['report.records.reminders', 'sentReminders', 'sentAppointmentReminders', 'dueNotifications'],
  [
    'report.records.access',
    'participantTokens',
    'grants',
    'stageTokens',
    'passwordQueue',
    'calendarLinks',
    'participantPins',
  ],
  ['report.records.others'],
]
const sectionOf = (table: string): TextKey =>
  sections.find(([, ...tables]) => tables.includes(table))?.[0] ?? 'report.records.others'

function recordLines({ write }: Writer, { records }: Content): Line[] {
  const bySection = Map.groupBy(Object.entries(records), ([table]) => sectionOf(table))
  return sections.flatMap(([heading]) => {
    const tables = bySection.get(heading) ?? []
    const rows = tables.flatMap(([table, rows]) =>
      rows.map((row): Line => ({ as: 'small', text: `${table} · ${displayText(row)}` })),
    )
    return rows.length ? [{ as: 'name', text: write(heading, {}) } as const, ...rows] : []
  })
}

const logLines = ({ log }: Content): Line[] =>
  log.map(({ createdAt, type, userEmail, event: { changes: _, ...event }, client }) => ({
    as: 'small',
    text: [createdAt, type, userEmail, client ? displayText(client) : '', displayText(event)]
      .filter(Boolean)
      .join(' · '),
  }))

/** The fields that the report names in the language of the person, in this order; others keep their inner names. */
const NAMED_FIELDS = ['id', 'name', 'dob', 'email', 'phone', 'whatsapp', 'createdAt', 'sites', 'groups'] as const

function personLines({ write }: Writer, { participant, sites, groups }: Content): Line[] {
  const { _id, trial: _, ...values } = { ...participant, sites, groups } as Record<string, unknown>
  const fields = NAMED_FIELDS.filter((field) => values[field] !== undefined)
  const others = Object.entries(values).filter(([field]) => !fields.some((each) => each === field))
  return [
    ...fields.map(
      (field): Line => ({ as: 'text', text: `${write(`report.field.${field}`, {})}: ${displayText(values[field])}` }),
    ),
    ...others.map(([field, value]): Line => ({ as: 'small', text: `${field}: ${displayText(value)}` })),
    { as: 'small', text: `_id: ${displayText(_id)}` },
  ]
}

/** When the report was requested, and the personal information was erased, if it was. */
export type ReportMoments = { at: Instant; zone: string; erasedAt: Instant | null }

/** Every line of the report, in order. */
export function linesOf(content: Content, writer: Writer, { at, zone, erasedAt }: ReportMoments): Line[] {
  const { write, moment } = writer
  const date = moment(at, zone)
  const { participant, files } = content
  const about = { trial: content.trial.name, participant: `${participant.id}`, date }
  const part = (text: string, inner: Line[]): Line[] => (inner.length ? [{ as: 'heading', text }, ...inner] : [])
  return [
    { as: 'text', text: write('report.intro', about) },
    ...(erasedAt === null
      ? []
      : [{ as: 'text', text: write('report.erased', { date: moment(erasedAt, zone) }) } as const]),
    ...part(write('report.person', {}), personLines(writer, content)),
    ...part(write('report.answers', {}), answerLines(writer, content)),
    ...part(
      write('report.files', {}),
      files.map((file) => ({ as: 'text', text: displayText(file) })),
    ),
    ...part(write('report.records', {}), recordLines(writer, content)),
    ...part(write('report.log', {}), logLines(content)),
  ]
}
