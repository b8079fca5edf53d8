/** The report on a person as a PDF, in their language. */
import { textPages } from '#documents/textPages'
import type { Writer } from '#texts/writer'
import { type Content, linesOf, type ReportMoments } from './lines'

/** Draws the report. What no font can print is shown as a box, and the first page says so. */
export function pdfOf(content: Content, writer: Writer, moments: ReportMoments): Promise<Uint8Array> {
  const lines = linesOf(content, writer, moments)
  return textPages(() => lines, {
    title: writer.write('report.title', {}),
    about: `${content.trial.name} · ${content.participant.id}`,
    unprintable: writer.write('report.unprintable', {}),
  })
}
