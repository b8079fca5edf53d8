/** The report on a person as a PDF, in their language. */
import { type Line, textPages } from '#exchange/crf/textPages'
import type { Instant } from '#kernel/time'
import type { Writer } from '#texts/write'
import type { Report } from './report'

type Content = Report['content']

/** A value as a person reads it. */
function shown(value: unknown): string {
  if (value === null || value === undefined || (Array.isArray(value) && !value.length)) return '–'
  if (Array.isArray(value)) return value.map(shown).join(', ')
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([key, each]) => `${key}: ${shown(each)}`)
      .join('; ')
  return `${value}`
}

const pairs = (values: object): Line[] =>
  Object.entries(values).map(([name, value]) => ({ as: 'text', text: `${name}: ${shown(value)}` }))

function answerLines({ write }: Writer, { answers }: Content): Line[] {
  return answers.flatMap(({ form, isDeleted, createdAt, score, answers, submissions, events }) => {
    const title = isDeleted ? write('report.deletedForm', { form }) : form
    const history = submissions.flatMap(({ at, createdByType, address, device, updateNote, changes }): Line[] => {
      const by = [at, createdByType, address, device, updateNote].filter(Boolean).join(' · ')
      const changed = changes.map(
        ({ question, replaced, value }) => `${question}: ${shown(replaced)} → ${shown(value)}`,
      )
      return [by, ...(submissions.length > 1 || isDeleted ? changed : [])].map((text) => ({ as: 'small', text }))
    })
    return [
      { as: 'name', text: `${title} (${createdAt.slice(0, 10)})` },
      ...answers.map(({ question, value }): Line => ({ as: 'text', text: `${question}: ${shown(value)}` })),
      ...(score === null ? [] : pairs({ score })),
      { as: 'small', text: write('report.changes', {}) },
      ...history,
      ...events.map((event): Line => ({ as: 'small', text: shown(event) })),
    ]
  })
}

const logLines = ({ log }: Content): Line[] =>
  log.map(({ createdAt, type, userEmail, event: { changes: _, ...event }, client }) => ({
    as: 'small',
    text: [createdAt, type, userEmail, client ? shown(client) : '', shown(event)].filter(Boolean).join(' · '),
  }))

/** The fields that the report names in the language of the person, in this order; others keep their inner names. */
const named = ['id', 'name', 'dob', 'email', 'phone', 'whatsapp', 'createdAt', 'sites', 'groups'] as const

function personLines({ write }: Writer, { participant, sites, groups }: Content): Line[] {
  const { _id, trial: _, ...values } = { ...participant, sites, groups } as Record<string, unknown>
  const fields = named.filter((field) => values[field] !== undefined)
  const others = Object.entries(values).filter(([field]) => !fields.some((each) => each === field))
  return [
    ...fields.map(
      (field): Line => ({ as: 'text', text: `${write(`report.field.${field}`, {})}: ${shown(values[field])}` }),
    ),
    ...others.map(([field, value]): Line => ({ as: 'small', text: `${field}: ${shown(value)}` })),
    { as: 'small', text: `_id: ${shown(_id)}` },
  ]
}

/** Every line of the report, in order. */
function linesOf(content: Content, writer: Writer, { date, erased }: { date: string; erased: string | null }): Line[] {
  const { write } = writer
  const { participant, files, records } = content
  const about = { trial: content.trial.name, participant: `${participant.id}`, date }
  const part = (text: string, inner: Line[]): Line[] => (inner.length ? [{ as: 'heading', text }, ...inner] : [])
  return [
    { as: 'text', text: write('report.intro', about) },
    ...(erased === null ? [] : [{ as: 'text', text: write('report.erased', { date: erased }) } as const]),
    ...part(write('report.person', {}), personLines(writer, content)),
    ...part(write('report.answers', {}), answerLines(writer, content)),
    ...part(
      write('report.files', {}),
      files.map((file) => ({ as: 'text', text: shown(file) })),
    ),
    ...part(
      write('report.records', {}),
      Object.entries(records).flatMap(([name, rows]) => [
        { as: 'name', text: name } as const,
        ...rows.map((row): Line => ({ as: 'small', text: shown(row) })),
      ]),
    ),
    ...part(write('report.log', {}), logLines(content)),
  ]
}

/** Draws the report. What no font can print is shown as a box, and the first page says so. */
export function pdfOf(
  content: Content,
  writer: Writer,
  { at, zone, erasedAt }: { at: Instant; zone: string; erasedAt: Instant | null },
): Promise<Uint8Array> {
  const erased = erasedAt === null ? null : writer.moment(erasedAt, zone)
  return textPages(linesOf(content, writer, { date: writer.moment(at, zone), erased }), {
    title: writer.write('report.title', {}),
    about: `${content.trial.name} · ${content.participant.id}`,
    unprintable: writer.write('report.unprintable', {}),
  })
}
