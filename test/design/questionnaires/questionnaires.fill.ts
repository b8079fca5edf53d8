/** Fills in a questionnaire and compares it with a worked example, with data types of its file or of a trial. */
import { expect } from 'bun:test'
import { fillForm } from '#design/forms/fillForm'
import { compileForm } from '#design/forms/form'
import type { Questionnaire } from '#design/questionnaires/model'
import type { Component } from '#design/stages/components'
import type { FieldType } from '#design/stages/references'
import type { Id } from '#kernel/id'
import { parseInstant } from '#kernel/time'
import type { Example } from './questionnaires.examples.shared'

const now = parseInstant('2026-03-02T12:00:00Z')!

/** An example's answer as a form would send it. */
function answerOf(asked: FieldType, answer: unknown): unknown {
  if (asked.format === 'choice') return [asked.options!.find(({ code }) => code === answer)!.label]
  if (asked.format !== 'likert') return answer
  return Object.fromEntries((answer as unknown[]).map((value, index) => [asked.statements![index]!.key, value]))
}

/** A form to fill in: its stage, and the data type of each code. */
export type Form = { stage: { components: Component[] }; typeOf: (code: string) => FieldType & { _id: Id } }

/** Fills in a form with answers as a form sends them, by code, and expects no problem. */
export function fill({ stage, typeOf }: Form, dataTypes: ReadonlyMap<Id, FieldType>, sent: Record<string, unknown>) {
  const bySent = Object.entries(sent).map(([code, value]) => [typeOf(code)._id, { value }])
  const filled = fillForm(compileForm(stage, dataTypes), {}, Object.fromEntries(bySent), { now, zone: 'UTC' })
  expect({ ...filled.wrong, ...filled.unfit, ...filled.missing }).toEqual({})
  return { score: filled.score, value: (code: string): unknown => filled.values[typeOf(code)._id] ?? null }
}

/** A questionnaire of a file, with its codes as `_id`s. */
export const fromFile = ({ dataTypes, stage }: Questionnaire) => {
  const types = new Map(dataTypes.map((each) => [each.code, { ...each, _id: each.code } as FieldType & { _id: Id }]))
  return { form: { stage, typeOf: (code: string) => types.get(code)! }, types }
}

/** Checks one example. */
export function check(form: Form, types: ReadonlyMap<Id, FieldType>, { answers, score, values }: Example) {
  const sent = Object.entries(answers).map(([code, answer]) => [code, answerOf(form.typeOf(code), answer)])
  const filled = fill(form, types, Object.fromEntries(sent))
  expect(filled.score).toBe(score)
  expect(Object.fromEntries(Object.keys(values).map((code) => [code, filled.value(code)]))).toEqual(values)
}
