/** The frame of the pages behind links: they stand alone, lead nowhere, and let the person choose the language. */

import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Frame, Heading } from '#web/kit/page/page'
import { Button, EmptyState } from '#web/kit/ui/components'
import { useTranslator } from './texts'

type Props = {
  title: string
  /** Whether the study wrote the title. */
  isOfStudy?: boolean
  /** Above the title, such as the name of the study. */
  overline?: string | undefined
  /** The page became another one: its heading gets the focus. */
  isNext?: boolean
  children?: ComponentChildren
}

export function LinkPage({ title, isOfStudy, overline, isNext, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = title
  }, [title])
  useEffect(() => {
    if (isNext) heading.current?.focus()
  }, [isNext])
  return (
    <Frame name="link-page" isFocusable>
      {overline && (
        <p class="note" dir="auto">
          {overline}
        </p>
      )}
      <Heading title={title} isOfStudy={isOfStudy} heading={heading} />
      {children}
    </Frame>
  )
}

type EndProps = {
  icon?: 'info' | 'warning' | 'success' | 'inbox'
  title: string
  note?: string | undefined
  overline?: string | undefined
  children?: ComponentChildren
}

/** A page that says one thing: that something is done, or why it cannot be done and what to do. */
export const EndPage = ({ icon = 'info', title, note, overline, children }: EndProps) => (
  <LinkPage title={title} overline={overline} isNext>
    <div class="card" role="status">
      {note !== undefined && <EmptyState icon={icon} title={note} />}
      {children}
    </div>
  </LinkPage>
)

type ReadFailure = { status: number; message: string; isRefusal?: boolean | undefined }

/** Why nothing could be read, with what to do. @param onAgain tries again */
export function ReadError({
  failure: { status, message, isRefusal },
  onAgain,
}: {
  failure: ReadFailure
  onAgain: () => void
}) {
  const { t } = useTranslator()
  const isEnded = status === 404 || status === 422
  if (isEnded) return <EndPage title={t('link.ended')} note={t('link.endedNote')} icon="warning" />
  const title = status === 429 ? t('refusal.tooMany') : isRefusal ? message : t('link.noConnection')
  return (
    <EndPage title={title} note={status === 0 ? t('link.noConnectionNote') : undefined} icon="warning">
      <Button kind="main" onPress={onAgain}>
        {t('site.again')}
      </Button>
    </EndPage>
  )
}
