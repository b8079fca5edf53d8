/** See docs/appointments.md, "Notes". */
import {
  day,
  flag,
  id,
  instant,
  joinShapes,
  list,
  maybe,
  orNull,
  shape,
  text,
  whole,
  withDescription,
} from '#wire/schema'

export const NoteInput = shape('NoteInput', {
  note: text(1, 2000),
  inRelationToDate: maybe(withDescription('The day that the note is about', orNull(day()))),
})

export const Note = joinShapes(
  'Note',
  shape({ _id: id(), createdAt: instant(), createdBy: id(), updatedAt: instant(), participant: id() }),
  NoteInput,
)

/** Notes in a page: few participants have a second one. */
export const PAGE = 500

export const NoteFilter = shape({ page: maybe(whole(1, 1_000_000)) })
export const Notes = shape('Notes', { notes: list(Note, PAGE), page: whole(1), nextPageAvailable: flag() })
