/** Notes of staff about a participant, which the participant does not see (docs/appointments.md, "Notes"). */
import { changedFields } from '#audit/changedFields'
import { type ParticipantScope, participant } from '#conduct/participants/scope'
import { deleteById, insert, rowById, updateById } from '#db/rows'
import { notes } from '#db/tables/index'
import { operation, type Scope } from '#http/operation'
import { found, refuse } from '#kernel/problem'
import { partial, shape } from '#wire/schema'
import { Note, NoteFilter, NoteInput, Notes, PAGE } from './model'
import { type NoteRow, notesOf } from './store'

/** The note that `:noteId` names; 404 unless it is about the participant of the path. */
const note: Scope<ParticipantScope & { note: NoteRow }, 'trialId' | 'participantId' | 'noteId'> = (context) => {
  const ofParticipant = participant(context)
  const note = found(rowById(context.db, notes, context.params.noteId), 'note')
  if (note.participant !== ofParticipant.participant._id) throw refuse.missing('note')
  return { ...ofParticipant, note }
}

/** What the audit trail keeps of a note: its text as personal information, which it may hold. */
const auditNoteOf = (before: Partial<NoteRow>, after: Partial<NoteRow>) => {
  const day = ({ inRelationToDate = null }: Partial<NoteRow>) => ({ inRelationToDate })
  const text = ({ note }: Partial<NoteRow>) => ({ note: note ?? null })
  return { event: changedFields(day(before), day(after)), personal: changedFields(text(before), text(after)) }
}

const listNotes = operation({
  id: 'listNotes',
  method: 'GET',
  path: '/trials/:trialId/participants/:participantId/notes',
  summary: 'List the notes about a participant',
  description: `Newest first, ${PAGE} notes a page.`,
  scope: participant,
  needs: 'trial.readParticipantNotes',
  query: NoteFilter,
  returns: Notes,
  run: ({ db, participant, query: { page = 1 } }) => {
    const rows = notesOf(db, participant._id, PAGE + 1, (page - 1) * PAGE)
    return { notes: rows.slice(0, PAGE), page, nextPageAvailable: rows.length > PAGE }
  },
})

const createNote = operation({
  id: 'createNote',
  method: 'POST',
  path: '/trials/:trialId/participants/:participantId/notes',
  summary: 'Write a note about a participant',
  scope: participant,
  needs: 'trial.writeParticipantNotes',
  logs: 'createNote',
  body: NoteInput,
  returns: Note,
  run: ({ db, trial, participant, caller, body, id, now, record }) => {
    const about = { trial: trial._id, participant: participant._id }
    const creation = { _id: id(), createdAt: now, updatedAt: now, createdBy: caller.user._id }
    const after = insert(db, notes, { ...creation, ...about, ...body })
    const { event, personal } = auditNoteOf({}, after)
    record({ event: { note: after._id, ...event }, personal })
    return after
  },
})

const editNote = operation({
  id: 'updateNote',
  method: 'PUT',
  path: '/trials/:trialId/participants/:participantId/notes/:noteId',
  summary: 'Change a note',
  scope: note,
  needs: 'trial.writeParticipantNotes',
  logs: 'updateNote',
  body: partial(NoteInput),
  returns: Note,
  run: ({ db, note, body, now, record }) => {
    const after = updateById(db, notes, note._id, { ...body, updatedAt: now })
    record(auditNoteOf(note, after))
    return after
  },
})

const removeNote = operation({
  id: 'deleteNote',
  method: 'DELETE',
  path: '/trials/:trialId/participants/:participantId/notes/:noteId',
  summary: 'Delete a note',
  scope: note,
  needs: 'trial.writeParticipantNotes',
  logs: 'deleteNote',
  returns: shape({}),
  run: ({ db, note, record }) => {
    deleteById(db, notes, note._id)
    record(auditNoteOf(note, {}))
    return {}
  },
})

export const noteOperations = [listNotes, createNote, editNote, removeNote] as const
