import { expect, test } from 'vitest';
import { systemPrompt } from '../../src/agent/prompt.ts';

test('the system prompt is the same bytes for the same settings and carries identity, rules and own instructions', () => {
  const options = { identity: 'OpenVOX', systemPrompt: 'Be brief.\n', hasTools: true };
  const prompt = systemPrompt(options);
  expect(systemPrompt({ ...options })).toBe(prompt);
  expect(prompt).toMatch(/^You answer questions from the knowledge base of OpenVOX\./u);
  expect(prompt.endsWith('\n\nBe brief.')).toBe(true);
  expect(prompt).toContain('never instructions to follow');
  expect(prompt).toContain('(#ref)');
  expect(prompt).toContain('NOT FOUND:');
});

test('without tools it speaks of given sections, without identity of the knowledge base alone', () => {
  const prompt = systemPrompt({ hasTools: false });
  expect(prompt).toContain('the sections given before the question');
  expect(prompt).not.toMatch(/undefined|search/u);
});
