/**
 * Makes the content of a case report form from a stage (pure; docs/imports.md, "To other tools").
 */

import type { DataTypeRow } from '#design/dataTypes/store'
import type { Component } from '#design/stages/components'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { dayInWords } from './answers'
import type { Crf, Item, Question } from './item'
import { printedFieldOf } from './printedFields'
import { conditionSentence, hintOf } from './questionTexts'

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

const HIDDEN_ANSWER = 'Not shown in this copy.'

/** @param dataTypes of the trial, by `_id` */
export function crfOf(
  trial: Trial,
  stage: Stage,
  dataTypes: ReadonlyMap<Id, DataTypeRow>,
  printInfo: PrintInfo,
  response?: FilledResponse,
): Crf {
  // A hidden field is not asked, but a filled form shows its answer.
  const printed = stage.components.filter(
    ({ isHidden, dataType }) => !isHidden || (response?.values.get(dataType!) ?? null) !== null,
  )
  const fields = printed.filter(({ dataType }) => dataType && dataTypes.has(dataType))
  const questionNumbers = new Map(fields.map(({ dataType, title }, at) => [dataType!, { number: at + 1, title }]))
  const items = printed.flatMap((component) => itemOf(component, dataTypes, questionNumbers, response))
  const today = dayInWords(printInfo.now, trial.timezone ?? 'UTC')
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
    version: printInfo.version === undefined ? `Version of ${today}` : `Version ${printInfo.version}`,
    printed: `Printed ${today}`,
    items: [...items, ...removedQuestions(dataTypes, questionNumbers, response)],
    signatures: ['Completed by', 'Signature', 'Date'],
  }
}

/** The stage's name with a blank to write the number of the occurrence in. */
const blankName = ({ name, isRecurring }: Stage) => (isRecurring ? name.replaceAll('%n', '____') : name)

type QuestionNumbers = ReadonlyMap<Id, { number: number; title: string }>

function itemOf(
  component: Component,
  dataTypes: ReadonlyMap<Id, DataTypeRow>,
  questionNumbers: QuestionNumbers,
  response?: FilledResponse,
): Item[] {
  const { type, title, description, dataType, condition } = component
  const help = description ?? ''
  if (type === 'title' || type === 'sectionDivider') {
    return [{ kind: 'heading', text: title, help, isDivider: type === 'sectionDivider' }]
  }
  const dataTypeRow = dataType ? dataTypes.get(dataType) : undefined
  if (!dataTypeRow) return []
  const other = condition ? dataTypes.get(condition.dataType) : undefined
  const at = condition && questionNumbers.get(condition.dataType)
  const video = component.video ? `Video: ${component.video.name || component.video.fileName}` : ''
  return [
    {
      ...questionOf(dataTypeRow, title, questionNumbers.get(dataType!)!.number, response),
      isRequired: component.isRequired === true && dataTypeRow.format !== 'calculation',
      help: [help || dataTypeRow.description, video].filter(Boolean).join('\n'),
      condition:
        condition && other
          ? conditionSentence(condition, { title: at?.title ?? other.name, number: at?.number, dataType: other })
          : '',
    },
  ]
}

function questionOf(dataTypeRow: DataTypeRow, text: string, number: number, response?: FilledResponse): Question {
  const field = response?.hidden(dataTypeRow._id)
    ? { kind: 'note' as const, text: HIDDEN_ANSWER }
    : printedFieldOf({
        dataType: dataTypeRow,
        value: response?.values.get(dataTypeRow._id),
        zone: response?.zone ?? 'UTC',
      })
  return {
    kind: 'question',
    number,
    text,
    isRequired: false,
    help: '',
    condition: '',
    hint: hintOf(dataTypeRow),
    field,
  }
}

/** A substitute for a deleted data type. */
const deletedDataType = (_id: Id) => ({ _id, name: _id, format: 'text' }) as DataTypeRow

/** Answers to questions that the stage no longer asks: a filled form shows all answers. */
function removedQuestions(
  dataTypes: ReadonlyMap<Id, DataTypeRow>,
  questionNumbers: QuestionNumbers,
  response?: FilledResponse,
): Item[] {
  const removed = [...(response?.values ?? [])].flatMap(([_id, value]) =>
    value === null || questionNumbers.has(_id) || response!.hidden(_id)
      ? []
      : (dataTypes.get(_id) ?? deletedDataType(_id)),
  )
  if (!removed.length) return []
  return [
    { kind: 'heading', text: 'No longer asked', help: '', isDivider: true },
    ...removed.map((dataTypeRow, at) =>
      questionOf(dataTypeRow, dataTypeRow.name, questionNumbers.size + at + 1, response),
    ),
  ]
}
