import { common, type WidgetProps } from '#web/form/widget'

/** A line of text, or several. */
export function TextWidget(props: WidgetProps) {
  const { settings, value, change } = props
  const text = typeof value === 'string' ? value : ''
  const attributes = {
    ...common(props),
    class: 'input',
    dir: 'auto' as const,
    value: text,
    onInput: (event: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
      // Half an emoji, which some keyboards leave behind, would be refused with everything else.
      change(event.currentTarget.value === '' ? null : event.currentTarget.value.toWellFormed()),
  }
  const { maxLength } = settings
  // Counted as the server does, in characters as people see them at most: near the end only, so that it does not distract.
  const left = maxLength == null ? undefined : maxLength - [...text].length
  return (
    <>
      {settings.format === 'paragraph' ? (
        <textarea {...attributes} rows={4} />
      ) : (
        <input {...attributes} type="text" autoComplete="off" enterKeyHint="next" />
      )}
      {left !== undefined && left <= Math.max(10, (maxLength ?? 0) / 10) && (
        <p class="note counter" aria-hidden="true">
          {left}
        </p>
      )}
    </>
  )
}
