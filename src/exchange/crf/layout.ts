/**
 * Makes the content of a case report form from a stage (pure; docs/imports.md, "To other tools").
 */

import type { DataTypeRow } from '#design/dataTypes/store'
import type { Component } from '#design/stages/components'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { dayInWords } from './answers'
import { drawingOf } from './drawings'
import type { Crf, Item, Question } from './item'
import { conditionSentence, hintOf } from './sentences'

type Trial = { name: string; protocolNumber: string | null; timezone: string | null }
type Stage = { name: string; description: string | null; components: readonly Component[]; isRecurring: boolean }

/** The response whose answers are filled in, as far as the reader may see them. */
export type FilledResponse = {
  participant: string
  sites: string
  createdAt: Instant
  /** The participant's time zone. */
  zone: string
  values: ReadonlyMap<Id, unknown>
  /** Data types that the reader may not see. The form says so, because an empty box would mean "not answered". */
  hidden(dataType: Id): boolean
}

/** @property version of the configuration, if it has not changed since that numbered version */
export type PrintInfo = { now: Instant; version?: number }

const WITHHELD = 'Not shown in this copy.'

/** @param dataTypes of the trial, by `_id` */
export function crfOf(
  trial: Trial,
  stage: Stage,
  dataTypes: ReadonlyMap<Id, DataTypeRow>,
  printing: PrintInfo,
  response?: FilledResponse,
): Crf {
  // Nobody is asked a hidden field, but a filled form shows its answer.
  const printed = stage.components.filter(
    ({ isHidden, dataType }) => !isHidden || (response?.values.get(dataType!) ?? null) !== null,
  )
  const fields = printed.filter(({ dataType }) => dataType && dataTypes.has(dataType))
  const places = new Map(fields.map(({ dataType, title }, at) => [dataType!, { number: at + 1, title }]))
  const items = printed.flatMap((component) => itemOf(component, dataTypes, places, response))
  const today = dayInWords(printing.now, trial.timezone ?? 'UTC')
  return {
    trial: trial.name,
    protocol: trial.protocolNumber ?? '',
    name: response ? stage.name : blankName(stage),
    description: stage.description ?? '',
    instructions: response
      ? []
      : ['Write clearly in black ink, one character in each box. Mark one circle, or every square that applies.'],
    head: [
      { label: 'Site', value: response?.sites ?? '' },
      { label: 'Participant ID', value: response?.participant ?? '' },
      { label: 'Initials', value: '' },
      { label: 'Date', value: response ? dayInWords(response.createdAt, response.zone) : '' },
    ],
    version: printing.version === undefined ? `Version of ${today}` : `Version ${printing.version}`,
    printed: `Printed ${today}`,
    items: [...items, ...noLongerAsked(dataTypes, places, response)],
    signatures: ['Completed by', 'Signature', 'Date'],
  }
}

/** The stage's name with a blank to write the number of the occurrence in. */
const blankName = ({ name, isRecurring }: Stage) => (isRecurring ? name.replaceAll('%n', '____') : name)

type Places = ReadonlyMap<Id, { number: number; title: string }>

function itemOf(
  component: Component,
  dataTypes: ReadonlyMap<Id, DataTypeRow>,
  places: Places,
  response?: FilledResponse,
): Item[] {
  const { type, title, description, dataType, condition } = component
  const help = description ?? ''
  if (type === 'title' || type === 'sectionDivider') {
    return [{ kind: 'heading', text: title, help, isDivider: type === 'sectionDivider' }]
  }
  const asked = dataType ? dataTypes.get(dataType) : undefined
  if (!asked) return []
  const other = condition ? dataTypes.get(condition.dataType) : undefined
  const at = condition && places.get(condition.dataType)
  const video = component.video ? `Video: ${component.video.name || component.video.fileName}` : ''
  return [
    {
      ...questionOf(asked, title, places.get(dataType!)!.number, response),
      isRequired: component.isRequired === true && asked.format !== 'calculation',
      help: [help || asked.description, video].filter(Boolean).join('\n'),
      condition:
        condition && other
          ? conditionSentence(condition, { title: at?.title ?? other.name, number: at?.number, dataType: other })
          : '',
    },
  ]
}

function questionOf(asked: DataTypeRow, text: string, number: number, response?: FilledResponse): Question {
  const drawing = response?.hidden(asked._id)
    ? { kind: 'note' as const, text: WITHHELD }
    : drawingOf({ dataType: asked, value: response?.values.get(asked._id), zone: response?.zone ?? 'UTC' })
  return {
    kind: 'question',
    number,
    text,
    isRequired: false,
    help: '',
    condition: '',
    hint: hintOf(asked),
    drawing,
  }
}

/** A substitute for a deleted data type. */
const deleted = (_id: Id) => ({ _id, name: _id, format: 'text' }) as DataTypeRow

/** Answers to questions that the stage no longer asks: a filled form shows all answers. */
function noLongerAsked(dataTypes: ReadonlyMap<Id, DataTypeRow>, places: Places, response?: FilledResponse): Item[] {
  const removed = [...(response?.values ?? [])].flatMap(([_id, value]) =>
    value === null || places.has(_id) || response!.hidden(_id) ? [] : (dataTypes.get(_id) ?? deleted(_id)),
  )
  if (!removed.length) return []
  return [
    { kind: 'heading', text: 'No longer asked', help: '', isDivider: true },
    ...removed.map((asked, at) => questionOf(asked, asked.name, places.size + at + 1, response)),
  ]
}
