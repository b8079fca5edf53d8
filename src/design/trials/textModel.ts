import { keyed, list, shape, text, withDescription } from '#wire/schema'

const SystemText = shape('SystemText', {
  key: text(1, 100),
  placeholders: withDescription('What the text can have in braces.', list(text(1, 50))),
  texts: withDescription('The text of the service, by language.', keyed(text(0, 2000))),
  own: withDescription('What the trial has in its place, by language.', keyed(text(1, 2000))),
})

/** See docs/messages.md, "Languages". */
export const SystemTexts = shape('SystemTexts', { texts: list(SystemText) })
