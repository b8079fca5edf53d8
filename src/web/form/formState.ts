/** Filling in a form: the answers, what follows from them by the engine of the server, and what is wrong with them. */
import { createContext } from 'preact'
import { useContext, useMemo, useRef, useState } from 'preact/hooks'
import type { FormDraft } from '#web/form/answers/draft'
import { fitAnswers } from '#web/form/answers/fitAnswers'
import type { KeptAnswer, SubmissionFeedback } from '#web/form/answers/model'
import { type FillResult, fillForm, messagesFor } from '#web/form/engine/engine'
import { type Component, compileStage, knownAnswers, type StageDetail } from './stage'
import type { ValueFormatter } from './valueFormatter'
import { toSentAnswers } from './values'

type Answers = Readonly<Record<string, KeptAnswer>>

export type FormState = {
  stage: StageDetail
  answers: Answers
  result: FillResult
  /** The components that are shown now, in order. */
  shown: readonly Component[]
  /** The fields whose problems are shown: those that the person left, or all after an attempt to send. */
  isProblemShown(dataType: string): boolean
  /** The fields with a problem, in the order of the form. */
  faults: readonly string[]
  /** The titles of required questions without an answer, which the stage takes as they are. */
  blanks: readonly string[]
  change(dataType: string, value: unknown): void
  leave(dataType: string): void
  showAllProblems(): void
  /** Keeps what is to be sent: nothing of questions that are not shown. */
  keepSendable(): void
  keepScreen(screen: number): void
  /** What the form shows after the submission, as far as the device knows it. */
  feedback(): SubmissionFeedback
  /** The value that a question shows: the new answer, else the stored answer that the server sent. */
  valueOf(dataType: string): unknown
}

/** The fields whose answers the server has stored but does not send. */
const unknownAnswers = ({ answered }: StageDetail, known: object) =>
  new Set(answered.filter((dataType) => !Object.hasOwn(known, dataType)))

/** What is known of what was submitted before; undefined before the first submission. */
const amendmentOf = ({ added }: StageDetail) =>
  added ? { isAddedLater: (dataType: string) => added.includes(dataType) } : undefined

/** @param initial the answers of a draft @param firstScreen where the person is at first */
export function useFormState(
  stage: StageDetail,
  draft: FormDraft,
  initial: Answers,
  firstScreen: number,
  onTouched: () => void,
): FormState {
  const { form, isShown } = useMemo(() => compileStage(stage), [stage])
  const known = useMemo(() => knownAnswers(stage), [stage])
  const unknown = useMemo(() => unknownAnswers(stage, known), [stage, known])
  const [answers, setAnswers] = useState(() => fitAnswers(stage, initial))
  const latest = useRef(answers)
  const screen = useRef(firstScreen)
  const [leftFields, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [isEveryProblemShown, setAllTold] = useState(false)

  const amendment = useMemo(() => amendmentOf(stage), [stage])
  const result = useMemo(
    () =>
      fillForm(form, known, toSentAnswers(answers), { now: Date.now() * 1000, zone: stage.zone }, undefined, amendment),
    [form, known, answers, stage.zone, amendment],
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
  const opened = draft.kept?.opened ?? stage.opened
  const keep = (which: Answers) =>
    draft.keep({ answers: which, screen: screen.current, version: stage.version, opened })

  return {
    stage,
    answers,
    result,
    shown,
    faults,
    blanks,
    isProblemShown: (dataType) => hasFault(dataType) && (isEveryProblemShown || leftFields.has(dataType)),
    change(dataType, value) {
      const next = { ...latest.current, [dataType]: { value, createdAt: new Date().toISOString() } }
      latest.current = next
      onTouched()
      setAnswers(next)
      keep(next)
    },
    leave: (dataType) => setLeft((before) => (before.has(dataType) ? before : new Set(before).add(dataType))),
    showAllProblems: () => setAllTold(true),
    // Answers to questions that the form no longer has go along: the server keeps what it ignores.
    keepSendable: () =>
      keep(Object.fromEntries(Object.entries(latest.current).filter(([dataType]) => !hidden.has(dataType)))),
    keepScreen(at) {
      screen.current = at
      if (Object.keys(latest.current).length) keep(latest.current)
    },
    feedback() {
      const needs = stage.deviceMessages?.needs ?? []
      // Without the earlier answer to a question, the score is not known here: the server says what follows from it.
      const isKnown = needs.every((dataType) => !unknown.has(dataType) || answers[dataType] !== undefined)
      const messages = isKnown ? result.messages : messagesFor(form.messageRules, undefined)
      return { text: stage.postSubmissionText ?? null, messages }
    },
    valueOf: (dataType) => (Object.hasOwn(answers, dataType) ? answers[dataType]?.value : known[dataType]),
  }
}

/** What the questions need from around them. */
export type FormContext = {
  zone: string
  formatValue: ValueFormatter
  draft: FormDraft
  isReadOnly: boolean
  /** Counts the files that are being stored on the device: 1 when storing begins, -1 when it ends. */
  countPendingFiles(change: 1 | -1): void
}

const formContext = createContext<FormContext | undefined>(undefined)
export const FormContext = formContext.Provider

export function useFormContext(): FormContext {
  const around = useContext(formContext)
  if (!around) throw new Error('A question is outside of a form.')
  return around
}
