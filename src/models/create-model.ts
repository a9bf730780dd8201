import type { ChatModel } from '../core/chat.ts';
import type { LlmConfig } from '../core/config.ts';
import { invalidSetting, resolveEndpoint } from './settings.ts';

const HOSTED_ANTHROPIC = 'https://api.anthropic.com';

/**
 * The model a knowledge base is configured to ask. Requests go to the configured base URL only: OpenAI's hosted API too
 * has to be named (`https://api.openai.com/v1`), while Anthropic's is the default of its provider. Keys come from the
 * variable the file names, never from one an SDK knows by itself. An SDK is loaded only when its provider is used.
 * @throws KbError `config-invalid` when a setting or the named variable is missing or unusable, and for provider `none`
 */
export async function createChatModel(
  settings: LlmConfig,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ChatModel> {
  switch (settings.provider) {
    case 'openai': {
      const endpoint = resolveEndpoint(settings, environment, undefined);
      const { OpenAiModel } = await import('./openai.ts');
      return new OpenAiModel(endpoint);
    }
    case 'anthropic': {
      if (settings.baseUrl === undefined && settings.apiKeyEnv === undefined) {
        throw invalidSetting(
          'llm.api_key_env is not set: Anthropic needs a key',
          'name the environment variable that holds the key with --key-env or llm.api_key_env',
        );
      }
      const endpoint = resolveEndpoint(settings, environment, HOSTED_ANTHROPIC);
      const { AnthropicModel } = await import('./anthropic.ts');
      return new AnthropicModel(endpoint);
    }
    case 'none':
      throw invalidSetting(
        'llm.provider is none: there is no model to ask',
        'set llm.provider (or --provider) to openai or anthropic, or use --mode extract',
      );
  }
}
