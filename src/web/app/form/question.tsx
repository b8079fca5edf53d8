import { isGroup, Widget } from '#web/app/form/widgets/all'
import { useSpeaker } from '#web/app/speaking'
import { Fault } from '#web/ui/components'
import type { Asked, Component } from './stage'

export type QuestionProps = {
  component: Asked
  value: unknown
  /** What is wrong with the answer, if it is to be said now. */
  fault: string | undefined
  isReadOnly: boolean
  /** The server has an answer that it does not tell. */
  isKnown: boolean
  change(value: unknown): void
  leave(): void
}

/** The id of the control of a question, to which the summary of problems leads. */
export const controlOf = (dataType: string): string => `answer-${dataType}`

/** A question with its note, its control and what is wrong with it. */
export function Question({ component, value, fault, isReadOnly, isKnown, change, leave }: QuestionProps) {
  const { say } = useSpeaker()
  const { title, description, dataType, type, isRequired = false, previousResponses = [], video } = component
  const id = controlOf(dataType)
  const described = [description && `${id}-note`, isKnown && `${id}-known`, fault && `${id}-fault`]
  const describedBy = described.filter(Boolean).join(' ') || undefined
  const heading = (
    <>
      <bdi>{title}</bdi>
      {isRequired && (
        <span class="required-mark" title={say('form.required')}>
          {' '}
          <span aria-hidden="true">*</span>
          <span class="hidden">{say('form.required')}</span>
        </span>
      )}
    </>
  )
  const inner = (
    <>
      {description && (
        <p class="note" id={`${id}-note`}>
          <bdi>{description}</bdi>
        </p>
      )}
      {video && (
        <video class="preview" src={video.url} controls preload="none" aria-label={video.name}>
          <track kind="captions" />
        </video>
      )}
      {isKnown && (
        <p class="note" id={`${id}-known`}>
          {say('form.known')}
        </p>
      )}
      <Widget
        id={id}
        label={title}
        settings={type}
        value={value}
        change={change}
        leave={leave}
        isInvalid={fault !== undefined}
        isRequired={isRequired}
        isReadOnly={isReadOnly}
        describedBy={describedBy}
      />
      <Fault id={`${id}-fault`} text={fault} />
      {previousResponses.length > 0 && <Earlier component={component} />}
    </>
  )
  const name = `question field${fault === undefined ? '' : ' faulty'}`
  if (isGroup(type)) {
    return (
      <fieldset class={name} aria-describedby={describedBy}>
        <legend>{heading}</legend>
        {inner}
      </fieldset>
    )
  }
  const isOutput = type.format === 'calculation'
  return (
    <div class={name}>
      {isOutput ? <p class="label">{heading}</p> : <label for={id}>{heading}</label>}
      {inner}
    </div>
  )
}

const shortOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(shortOf).join(', ')
  if (typeof value === 'object' && value !== null)
    return 'name' in value ? String(value.name) : Object.values(value).map(shortOf).join(', ')
  const text = String(value)
  return /^\d{4}-\d{2}-\d{2}T00:00:00/.test(text) ? text.slice(0, 10) : text
}

/** Earlier answers, which the study lets participants see. */
function Earlier({ component: { previousResponses = [] } }: { component: Asked }) {
  const { say, day } = useSpeaker()
  return (
    <details class="earlier">
      <summary>{say('form.earlier')}</summary>
      <ul>
        {previousResponses.map(({ value, createdAt }) => (
          <li key={createdAt}>
            <span class="note">{day(createdAt.slice(0, 10))}</span> <bdi>{shortOf(value)}</bdi>
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
      <h2>
        <bdi>{title}</bdi>
      </h2>
      {description && (
        <p class="note">
          <bdi>{description}</bdi>
        </p>
      )}
    </div>
  )
}
