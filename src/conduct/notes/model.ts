/** See docs/appointments.md, "Notes". */
import * as t from '#wire/schema'

export const NoteInput = t.shape('NoteInput', {
  note: t.text(1, 2000),
  inRelationToDate: t.maybe(t.withDescription('The day that the note is about', t.orNull(t.day()))),
})

export const Note = t.joinShapes(
  'Note',
  t.shape({ _id: t.id(), createdAt: t.instant(), createdBy: t.id(), updatedAt: t.instant(), participant: t.id() }),
  NoteInput,
)

/** Notes in a page: few participants have a second one. */
export const PAGE = 500

export const NoteFilter = t.shape({ page: t.maybe(t.whole(1, 1_000_000)) })
export const Notes = t.shape('Notes', { notes: t.list(Note, PAGE), page: t.whole(1), nextPageAvailable: t.flag() })
