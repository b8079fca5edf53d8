/** A study inserted directly into the database, with data types of every format, and participants who answer. */

import { responseAt } from '#conduct/responses/store'
import { submit } from '#conduct/responses/submit'
import {
  dataTypes,
  groups,
  participantGroups,
  participantSites,
  participants,
  sites,
  stages,
  type trials,
} from '#db/tables/index'
import { configuration } from '#design/configuration/configuration'
import { noHiddenFields } from '#design/hiddenFields/hiddenFields'
import { trialById } from '#design/trials/store'
import type { Format } from '#kernel/formats'
import { type Id, newId } from '#kernel/id'
import { parseInstant } from '#kernel/time'
import type { World } from '../../harness'

/** Settings by code, of every format that needs no upload. */
export const everyFormat: Record<string, Record<string, unknown> & { format: string }> = {
  comment: { format: 'text' },
  diary: { format: 'paragraph' },
  pulse: { format: 'integer' },
  temperature: { format: 'float', decimals: 2 },
  birthday: { format: 'date' },
  taken: { format: 'datetime' },
  woke: { format: 'time' },
  smoker: { format: 'choice', options: [{ label: 'Yes' }, { label: 'No' }] },
  effects: {
    format: 'choice',
    multiple: true,
    options: ['Nausea', 'Rash, itching', '=Pain'].map((label) => ({ label })),
  },
  mood: {
    format: 'likert',
    scale: [0, 1, 2].map((value) => ({ value, label: `${value}` })),
    statements: ['q1', 'q2'].map((key) => ({ key, label: key })),
    allowNotApplicable: true,
  },
  drugs: { format: 'table', columns: [{ id: 'name', label: 'Name', format: 'text' }] },
  mass: { format: 'bmi' },
}

export function study(here: World, change: Partial<typeof trials.$inferInsert> = {}) {
  const { db, service } = here
  const trial = here.trial(change)
  let count = 0
  const config = () => configuration(db, trialById(db, trial)!)

  return {
    trial,
    config,
    field(
      code: string,
      { format = 'text', isRestricted = false, isPii = false, ...settings }: Record<string, unknown> = {},
    ): Id {
      const _id = newId(0)
      db.insert(dataTypes)
        .values({
          _id,
          createdAt: 0,
          trial,
          name: `The ${code}`,
          code,
          format: format as Format,
          settings,
          isRestricted: isRestricted as boolean,
          isPii: isPii as boolean,
        })
        .run()
      return _id
    },
    stage(name: string, fields: readonly Id[], settings: Record<string, unknown> = {}): Id {
      const _id = newId(0)
      const components = fields.map((dataType) => ({ id: dataType, dataType, title: dataType }))
      db.insert(stages).values({ _id, createdAt: 0, trial, index: count++, name, components, settings }).run()
      return _id
    },
    site(id: string): Id {
      const _id = newId(0)
      db.insert(sites)
        .values({ _id, createdAt: 0, trial, name: `Site ${id}`, id })
        .run()
      return _id
    },
    group(name: string): Id {
      const _id = newId(0)
      db.insert(groups).values({ _id, createdAt: 0, trial, name }).run()
      return _id
    },
    participant(id: string, places: { sites?: Id[]; groups?: Id[]; isArchived?: boolean } = {}): Id {
      const _id = newId(0)
      db.insert(participants)
        .values({ _id, createdAt: 0, trial, id, idSort: id, isArchived: places.isArchived, email: 'p@example.org' })
        .run()
      for (const site of places.sites ?? []) db.insert(participantSites).values({ participant: _id, site }).run()
      for (const group of places.groups ?? []) db.insert(participantGroups).values({ participant: _id, group }).run()
      return _id
    },
    /** Submits a response, or amends it. */
    async submit(participant: Id, stage: Id, answers: Record<Id, unknown>, stageRecurrence = 0): Promise<Id> {
      const now = parseInstant(here.now())!
      const { row } = await service.services.commit(() =>
        submit({
          db,
          now,
          zone: 'UTC',
          configuration: config(),
          trial,
          participant,
          stage,
          stageRecurrence,
          existing: responseAt(db, participant, stage, stageRecurrence),
          sent: Object.fromEntries(Object.entries(answers).map(([dataType, value]) => [dataType, { value }])),
          hidden: noHiddenFields,
          by: { _id: here.owner._id, type: 'user' },
          client: { address: '192.0.2.7', device: 'tablet' },
          updateNote: null,
          id: () => newId(now),
        }),
      )
      return row._id
    },
  }
}

export type Study = ReturnType<typeof study>
