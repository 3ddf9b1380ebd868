let segmenter: Intl.Segmenter | undefined;

/**
 * The letters of a text as people count them. The segmenter is made when it is first used: that takes ten milliseconds or more, a fifth of
 * what `--help` needs, and a text of ASCII needs none.
 */
export function graphemesOf(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}
