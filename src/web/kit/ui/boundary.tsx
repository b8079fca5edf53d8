import type { ComponentChildren } from 'preact'
import { useEffect, useErrorBoundary, useRef, useState } from 'preact/hooks'
import { Button } from './button'
import { Icon } from './icon'
import { useTranslator } from './translator'

type Props = {
  /** What becomes of what the person has entered, and what to do. */
  note?: string | undefined
  /** Whether the page has its heading all the same. */
  isPart?: boolean
  /** Another way to go on, such as a link to the first page. */
  fallback?: ComponentChildren
  children: ComponentChildren
}

/** What stands in place of a part of the page that has an error: what to do. Without it, the page would be blank. */
export function Boundary({ note, isPart = false, fallback, children }: Props) {
  const { t } = useTranslator()
  const [attempts, setAttempts] = useState(0)
  // For developers, in the console of the browser.
  const [fault, forget] = useErrorBoundary((error) => console.error(error))
  const place = useRef<HTMLElement>(null)
  useEffect(() => {
    if (fault) place.current?.focus()
  }, [fault])
  if (!fault) return <>{children}</>
  const again = () => {
    if (attempts > 0) return location.reload()
    setAttempts(attempts + 1)
    forget()
  }
  const Heading = isPart ? 'h2' : 'h1'
  return (
    <section class="empty not-shown" role="alert" ref={place} tabIndex={-1}>
      <Icon name="warning" />
      <Heading class="empty-title">{t('site.notShown')}</Heading>
      <p class="note">{note ?? t('site.notShownNote')}</p>
      <div class="actions">
        <Button kind="main" onPress={again}>
          {t(attempts > 0 ? 'site.reload' : 'site.again')}
        </Button>
        {fallback}
      </div>
    </section>
  )
}
