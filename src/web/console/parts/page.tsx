/** What pages are made of: the head, and what stands in place of content that is not there. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useShellTranslator } from '#web/console/lang/texts'
import { navigations } from '#web/console/shell/router'
import type { FailedAnswer } from '#web/kit/api/send'
import { Button, ButtonLink, EmptyState, Notice } from '#web/kit/ui/components'
import { Icon } from './icon'

type HeadProps = {
  title: string
  /** Of the tab, if it is not the title: it carries an ID, never a name. */
  tab?: string | undefined
  /** Before the title, such as a link to the list. */
  before?: ComponentChildren
  /** After the title: a count, a state. */
  after?: ComponentChildren
  /** What can be done. */
  children?: ComponentChildren
}

/** The head of a page. Its heading gets the focus when the person comes to the page. */
export function PageHead({ title, tab, before, after, children }: HeadProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const arrival = navigations.value
  useEffect(() => {
    if (arrival > 0) heading.current?.focus({ preventScroll: true })
  }, [arrival])
  useEffect(() => {
    document.title = `${tab ?? title} · Trialbox`
  }, [tab, title])
  return (
    <header class="head">
      {before}
      <h1 ref={heading} tabIndex={-1}>
        <bdi>{title}</bdi>
      </h1>
      {after}
      <span class="grow" />
      {children}
    </header>
  )
}

/** A state of the whole page, above its content. */
export const Band = ({ kind, children }: { kind: 'info' | 'warning'; children: ComponentChildren }) => (
  <div class={`band ${kind}`} role="status">
    {children}
  </div>
)

/** Says which locks the study has, and why. */
export function LockBand({ trial }: { trial: LockedTrial | undefined }) {
  const { t } = useShellTranslator()
  if (!trial) return null
  const reasons = [
    trial.isDatabaseLocked && (['console.lockedData', trial.databaseLockJustification] as const),
    trial.isLocked && (['console.lockedConfiguration', trial.lockJustification] as const),
  ]
  return (
    <>
      {reasons.map(
        (each) =>
          each && (
            <Band kind="info" key={each[0]}>
              <Icon name="lock" />
              <span>
                {t(each[0])} {each[1] && <bdi>{t('console.lockedReason', { reason: each[1] })}</bdi>}
              </span>
            </Band>
          ),
      )}
    </>
  )
}

type LockedTrial = {
  isLocked: boolean
  isDatabaseLocked: boolean
  lockJustification: string | null
  databaseLockJustification: string | null
}

/** Why something could not be read: what the server says, and what can be done. What was there last stays on the page. */
export function Failure({ failure, onAgain }: { failure: FailedAnswer; onAgain: () => void }) {
  const { t } = useShellTranslator()
  const { status, message, details } = failure
  if (status === 403) {
    const needs = Array.isArray(details.needs) ? details.needs.join(', ') : ''
    const note = needs ? t('console.forbiddenNote', { needs }) : t('console.forbiddenPlain')
    return <EmptyState icon="key" title={t('console.forbidden')} note={note} />
  }
  if (status === 404) {
    return (
      <EmptyState icon="warning" title={t('console.missing')} note={t('console.missingNote')}>
        <ButtonLink href="/console">{t('console.toStudies')}</ButtonLink>
      </EmptyState>
    )
  }
  return (
    <Notice kind="fault" title={t('console.failed')} isLive>
      <p>{status === 0 ? t('site.unreachable') : message}</p>
      <Button onPress={onAgain}>{t('site.again')}</Button>
    </Notice>
  )
}
