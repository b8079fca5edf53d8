import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Button } from './button'
import { useTranslator } from './translator'

type Props = {
  title: string
  children: ComponentChildren
  /** What the person decides about; without it the dialog can only be closed. */
  action?: { label: string; kind?: 'main' | 'danger'; isBusy?: boolean; onPress: () => void }
  onClose: () => void
}

/** A dialog of the browser: it keeps the focus inside, closes with Escape, and gives the focus back. It is open while it is rendered. */
export function Dialog({ title, children, action, onClose }: Props) {
  const { t } = useTranslator()
  const id = useId()
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const before = document.activeElement
    element.current?.showModal()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog ref={element} class="dialog" aria-labelledby={id} onClose={onClose}>
      <h2 id={id} dir="auto">
        {title}
      </h2>
      <div class="dialog-body">{children}</div>
      <div class="actions">
        <Button onPress={() => element.current?.close()}>{t(action ? 'dialog.cancel' : 'dialog.close')}</Button>
        {action && (
          <Button kind={action.kind ?? 'main'} isBusy={action.isBusy ?? false} onPress={action.onPress}>
            {action.label}
          </Button>
        )}
      </div>
    </dialog>
  )
}
