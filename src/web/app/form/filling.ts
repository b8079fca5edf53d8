/** Filling in a form: the answers, what follows from them by the engine of the server, and what is wrong with them. */
import { createContext } from 'preact'
import { useContext, useMemo, useRef, useState } from 'preact/hooks'
import type { OpenDraft } from '#web/app/device/drafts'
import type { KeptAnswer, Said } from '#web/app/device/model'
import { type FillResult, fillForm, messagesFor } from '#web/common/engine'
import { fitted } from './fitted'
import { type Component, compiled, type StageDetail, toldAnswers } from './stage'
import { asSent } from './values'
import type { Written } from './written'

type Answers = Readonly<Record<string, KeptAnswer>>

export type Filling = {
  stage: StageDetail
  answers: Answers
  result: FillResult
  /** The components that are shown now, in order. */
  shown: readonly Component[]
  /** The fields whose problems are shown: those that the person left, or all after an attempt to send. */
  isTold(dataType: string): boolean
  /** The fields with a problem, in the order of the form. */
  faults: readonly string[]
  /** The titles of required questions without an answer, which the stage takes as they are. */
  blanks: readonly string[]
  change(dataType: string, value: unknown): void
  leave(dataType: string): void
  tellAll(): void
  /** Keeps what is to be sent: nothing of questions that are not shown. */
  keepSendable(): void
  keepScreen(screen: number): void
  /** What the form says after it is sent, as far as the device knows it. */
  said(): Said
  /** The value that a question shows: what was answered now, else what the server told. */
  valueOf(dataType: string): unknown
}

/** The fields that the server has answers of, without telling them. */
const unknownAnswers = ({ answered }: StageDetail, told: object) =>
  new Set(answered.filter((dataType) => !Object.hasOwn(told, dataType)))

/** What is known of what was submitted before; undefined before the first submission. */
const amendmentOf = ({ added }: StageDetail) =>
  added ? { isAddedLater: (dataType: string) => added.includes(dataType) } : undefined

/** @param initial the answers of a draft @param firstScreen where the person is at first */
export function useFilling(
  stage: StageDetail,
  draft: OpenDraft,
  initial: Answers,
  firstScreen: number,
  onTouched: () => void,
): Filling {
  const { form, isShown } = useMemo(() => compiled(stage), [stage])
  const told = useMemo(() => toldAnswers(stage), [stage])
  const unknown = useMemo(() => unknownAnswers(stage, told), [stage, told])
  const [answers, setAnswers] = useState(() => fitted(stage, initial))
  const latest = useRef(answers)
  const screen = useRef(firstScreen)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [isAllTold, setAllTold] = useState(false)

  const amendment = useMemo(() => amendmentOf(stage), [stage])
  const result = useMemo(
    () => fillForm(form, told, asSent(answers), { now: Date.now() * 1000, zone: stage.zone }, undefined, amendment),
    [form, told, answers, stage.zone, amendment],
  )
  const hidden = useMemo(() => new Set(result.hidden), [result])
  const first = useMemo(() => new Map(stage.components.toReversed().map(({ dataType, id }) => [dataType, id])), [stage])
  const shown = stage.components.filter((component) =>
    component.dataType === undefined
      ? isShown(component, result.values)
      : // A field has one answer, and the rules of its first question.
        !component.isHidden && !hidden.has(component.dataType) && first.get(component.dataType) === component.id,
  )
  const { wrong, unfit, missing } = result
  const hasFault = (dataType: string) =>
    Object.hasOwn(wrong, dataType) ||
    Object.hasOwn(unfit, dataType) ||
    (Object.hasOwn(missing, dataType) && !(unknown.has(dataType) && answers[dataType] === undefined))
  const faults = shown.flatMap(({ dataType }) => (dataType !== undefined && hasFault(dataType) ? [dataType] : []))

  const isOpen = (code: string | undefined) => code === 'required' || code === 'openStatements'
  const blanks = stage.allowIncompleteSubmission
    ? shown.flatMap(({ dataType, title }) =>
        dataType !== undefined &&
        isOpen(result.problems[dataType]?.code) &&
        !(unknown.has(dataType) && answers[dataType] === undefined)
          ? [title ?? '']
          : [],
      )
    : []

  // The first proof is the one that covers every answer of the draft: a later one may be from after the end of the form.
  const opened = draft.draft?.opened ?? stage.opened
  const keep = (which: Answers) =>
    draft.keep({ answers: which, screen: screen.current, version: stage.version, opened })

  return {
    stage,
    answers,
    result,
    shown,
    faults,
    blanks,
    isTold: (dataType) => hasFault(dataType) && (isAllTold || left.has(dataType)),
    change(dataType, value) {
      const next = { ...latest.current, [dataType]: { value, createdAt: new Date().toISOString() } }
      latest.current = next
      onTouched()
      setAnswers(next)
      keep(next)
    },
    leave: (dataType) => setLeft((before) => (before.has(dataType) ? before : new Set(before).add(dataType))),
    tellAll: () => setAllTold(true),
    // Answers to questions that the form no longer has go along: the server keeps what it ignores.
    keepSendable: () =>
      keep(Object.fromEntries(Object.entries(latest.current).filter(([dataType]) => !hidden.has(dataType)))),
    keepScreen(at) {
      screen.current = at
      if (Object.keys(latest.current).length) keep(latest.current)
    },
    said() {
      const needs = stage.deviceMessages?.needs ?? []
      // Without the earlier answer to a question, the score is not known here: the server says what follows from it.
      const isKnown = needs.every((dataType) => !unknown.has(dataType) || answers[dataType] !== undefined)
      const messages = isKnown ? result.messages : messagesFor(form.messageRules, undefined)
      return { text: stage.postSubmissionText ?? null, messages }
    },
    valueOf: (dataType) => (Object.hasOwn(answers, dataType) ? answers[dataType]?.value : told[dataType]),
  }
}

/** What the questions need from around them. */
export type Around = {
  zone: string
  written: Written
  draft: OpenDraft
  isReadOnly: boolean
  /** Says that a file is being kept on the device: 1 when that begins, -1 when it is over. */
  keeping(change: 1 | -1): void
}

const Surroundings = createContext<Around | undefined>(undefined)
export const Around = Surroundings.Provider

export function useAround(): Around {
  const around = useContext(Surroundings)
  if (!around) throw new Error('A question is outside of a form.')
  return around
}
