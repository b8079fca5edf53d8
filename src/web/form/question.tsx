import { useRef } from 'preact/hooks'
import { Widget } from '#web/form/widgets/all'
import { studyText } from '#web/kit/language/studyText'
import { Fault } from '#web/kit/ui/components'
import { StudyText } from '#web/kit/ui/studyText'
import type { FaultyPart } from './faultyPart'
import { useFormContext } from './formState'
import { hintOf } from './hint'
import { afterPress } from './presses'
import type { Component, QuestionComponent } from './stage'
import { useTranslator } from './translator'
import { formatAnswer } from './valueFormatter'
import { endsOf, isGroup } from './widget'

export type QuestionProps = {
  component: QuestionComponent
  value: unknown
  /** What to do about the answer, if something is wrong with it and is to be said now. */
  fault: string | undefined
  /** The part of the question in which it is. */
  faultyPart: FaultyPart | undefined
  isReadOnly: boolean
  /** The server has an answer that it does not tell. */
  isKnown: boolean
  change(value: unknown): void
  leave(): void
}

/** The id of the control of a question, to which the summary of problems leads. */
export const controlOf = (dataType: string): string => `answer-${dataType}`

/** A question with its note, its control and what is wrong with it. */
export function Question({ component, value, fault, faultyPart, isReadOnly, isKnown, change, leave }: QuestionProps) {
  const { t, language } = useTranslator()
  const { formatValue } = useFormContext()
  const leaveHandlers = useLeaveHandlers(leave)
  const { title, description, dataType, type, isRequired = false, previousResponses = [], video } = component
  const id = controlOf(dataType)
  const hint = isReadOnly ? '' : hintOf(type, { t }, formatValue)
  const described = [
    description && `${id}-note`,
    hint && `${id}-hint`,
    isKnown && `${id}-known`,
    // Of a scale of numbers, what its ends mean.
    type.format === 'rating' && (type.minLabel || type.maxLabel) && endsOf(id),
    fault && `${id}-fault`,
  ]
  const describedBy = described.filter(Boolean).join(' ') || undefined
  const heading = (
    <>
      {title}
      {isRequired && (
        <span class="required-mark" lang={language} title={t('form.required')}>
          {'\u00a0'}
          <span aria-hidden="true">*</span>
          <span class="hidden">{t('form.required')}</span>
        </span>
      )}
    </>
  )
  const faultElement = <Fault id={`${id}-fault`} text={fault} />
  // Statements are marked; a cell, or height or weight, has the text beside it.
  const isInPart = fault !== undefined && faultyPart !== undefined && type.format !== 'likert'
  const inner = (
    <>
      {description && (
        <p class="note" id={`${id}-note`} {...studyText(description)}>
          {description}
        </p>
      )}
      {video && (
        <video
          class="preview"
          src={video.url}
          controls
          preload="none"
          aria-label={video.name}
          lang={studyText(video.name).lang}
        >
          <track kind="captions" />
        </video>
      )}
      {hint && (
        <p class="note" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {isKnown && (
        <p class="note" id={`${id}-known`}>
          {t('form.known')}
        </p>
      )}
      <Widget
        id={id}
        label={title}
        settings={type}
        value={value}
        change={change}
        isInvalid={fault !== undefined}
        isRequired={isRequired}
        isReadOnly={isReadOnly}
        describedBy={describedBy}
        faultyPart={fault === undefined ? undefined : faultyPart}
        fault={isInPart && faultElement}
      />
      {!isInPart && faultElement}
      {previousResponses.length > 0 && <EarlierAnswers component={component} />}
    </>
  )
  const name = `question field${fault === undefined ? '' : ' faulty'}`
  if (isGroup(type)) {
    return (
      <fieldset class={name} aria-describedby={describedBy} {...leaveHandlers}>
        <legend {...studyText(title)}>{heading}</legend>
        {inner}
      </fieldset>
    )
  }
  const isOutput = type.format === 'calculation'
  return (
    <div class={name} {...leaveHandlers}>
      {isOutput ? (
        <p class="label" id={`${id}-label`} {...studyText(title)}>
          {heading}
        </p>
      ) : (
        <label for={id} {...studyText(title)}>
          {heading}
        </label>
      )}
      {inner}
    </div>
  )
}

/**
 * Says when the person has left a question. Going from one option to another, by keyboard or by a tap on its label, does not
 * leave it: nothing is said to be wrong while somebody still chooses.
 */
function useLeaveHandlers(leave: () => void) {
  const isPressed = useRef(false)
  return {
    onPointerDown: () => {
      isPressed.current = true
      const end = () => setTimeout(() => (isPressed.current = false))
      addEventListener('pointerup', end, { once: true })
      addEventListener('pointercancel', end, { once: true })
    },
    onFocusOut: ({
      currentTarget,
      relatedTarget,
    }: {
      currentTarget: HTMLElement
      relatedTarget: EventTarget | null
    }) => {
      const isStaying = relatedTarget instanceof Node && currentTarget.contains(relatedTarget)
      if (!isPressed.current && !isStaying) afterPress(leave)
    },
  }
}

/** Earlier answers, which the study lets participants see. */
function EarlierAnswers({ component: { type, previousResponses = [] } }: { component: QuestionComponent }) {
  const { t } = useTranslator()
  const { formatValue } = useFormContext()
  return (
    <details class="earlier">
      <summary>{t('form.earlier')}</summary>
      <ul>
        {previousResponses.map(({ value, createdAt }) => (
          <li key={createdAt}>
            <span class="note">{formatValue(createdAt)}</span>{' '}
            <StudyText text={formatAnswer(type, value, formatValue, t('form.notApplicable'))} />
          </li>
        ))}
      </ul>
    </details>
  )
}

/** A heading, or a line between sections. */
export function Heading({ component: { builtInType, title, description } }: { component: Component }) {
  return (
    <div class={builtInType === 'sectionDivider' ? 'section' : 'heading'}>
      <h2 {...studyText(title)}>{title}</h2>
      {description && (
        <p class="note" {...studyText(description)}>
          {description}
        </p>
      )}
    </div>
  )
}
