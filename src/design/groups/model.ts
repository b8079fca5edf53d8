import { described, id, instant, joined, list, maybe, orNull, shape, text } from '#wire/words'

/** See docs/participants.md, "Sites and groups". */
export const GroupInput = shape({
  name: text(2, 100),
  colour: maybe(described('A colour name or hex value.', orNull(text(1, 40)))),
})

export const Group = joined(shape({ _id: id(), createdAt: instant(), trial: id() }), GroupInput)

export const Groups = shape({ groups: list(Group) })
