import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { withBlocks } from '#writers/blocks'
import { temporaryFolder } from '../temporary'

const texts = fc.array(
  fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('', 'é😀\n', 'x'.repeat(70_000), '漢'.repeat(30_000))),
  { maxLength: 60 },
)

test('the texts of each key come back in their order, and nothing is left', async () => {
  const folder = temporaryFolder()
  await fc.assert(
    fc.asyncProperty(texts, async (added) => {
      const read = await withBlocks(join(folder, 'record'), async (blocks) => {
        for (const [key, text] of added) blocks.add(key, text)
        return ['a', 'b', 'c', 'none'].map((key) => [...blocks.pieces(key)].join(''))
      })
      const wanted = ['a', 'b', 'c', 'none'].map((key) =>
        added.flatMap(([own, text]) => (own === key ? [text] : [])).join(''),
      )
      expect(read).toEqual(wanted)
    }),
    { numRuns: 30 },
  )
  await expect(
    withBlocks(join(folder, 'record'), async (blocks) => {
      blocks.add('a', 'b')
      throw new Error('stopped')
    }),
  ).rejects.toThrow('stopped')
  expect(readdirSync(folder)).toEqual([])
})
