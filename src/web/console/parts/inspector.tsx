import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { useShellTranslator } from '#web/console/lang/texts'
import { Icon } from './icon'

type Props = {
  title: string
  /** Beside the title. */
  after?: ComponentChildren
  children: ComponentChildren
  onClose: () => void
}

/** The details of what is selected: a column beside the content, on a narrow screen a sheet over it, which takes the focus. Escape closes it. */
export function Inspector({ title, after, children, onClose }: Props) {
  const { t } = useShellTranslator()
  const id = useId()
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    const before = document.activeElement
    const isSheet = panel.current && getComputedStyle(panel.current).position === 'fixed'
    if (isSheet) panel.current?.focus()
    return () => {
      if (isSheet && before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    onClose()
  }
  return (
    <aside ref={panel} class="inspector" aria-labelledby={id} tabIndex={-1} onKeyDown={onKeyDown}>
      <header class="pane-head">
        <h2 id={id} class="cut">
          <bdi>{title}</bdi>
        </h2>
        {after}
        <span class="grow" />
        <button type="button" class="icon-button" aria-label={t('console.closeInspector')} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <div class="inspector-body">{children}</div>
    </aside>
  )
}
