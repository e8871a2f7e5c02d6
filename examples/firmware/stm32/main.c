/* A motor behind a start button and a stop button, on an STM32F4 with ST's HAL and ARM's CMSIS.
 *
 * The stop button wins: the motor never runs in a cycle in which it is pressed. The motor may start only after three cycles in
 * a row in which the start button was seen pressed. With `-DBUG` the start button wins. */
#include "stm32f4xx_hal.h"
#include <assert.h>

#define BUTTONS GPIOA
#define START GPIO_PIN_0
#define STOP GPIO_PIN_1
#define OUTPUTS GPIOD
#define MOTOR GPIO_PIN_12

uint32_t SystemCoreClock = 16000000U;
const uint8_t AHBPrescTable[16] = { 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 6, 7, 8, 9 };
const uint8_t APBPrescTable[8] = { 0, 0, 0, 0, 1, 2, 3, 4 };

enum { DEBOUNCED = 3 };

static uint8_t pressed_for;
static _Bool running;

static void setup(void)
{
    GPIO_InitTypeDef pins = { 0 };
    __HAL_RCC_GPIOA_CLK_ENABLE();
    __HAL_RCC_GPIOD_CLK_ENABLE();
    pins.Pin = START | STOP;
    pins.Mode = GPIO_MODE_INPUT;
    pins.Pull = GPIO_PULLUP;
    HAL_GPIO_Init(BUTTONS, &pins);
    pins.Pin = MOTOR;
    pins.Mode = GPIO_MODE_OUTPUT_PP;
    pins.Pull = GPIO_NOPULL;
    pins.Speed = GPIO_SPEED_FREQ_LOW;
    HAL_GPIO_Init(OUTPUTS, &pins);
}

int main(void)
{
    HAL_Init();
    setup();
    for (;;) {
        _Bool start = HAL_GPIO_ReadPin(BUTTONS, START) == GPIO_PIN_RESET;
        _Bool stop = HAL_GPIO_ReadPin(BUTTONS, STOP) == GPIO_PIN_RESET;
        if (!start)
            pressed_for = 0;
        else if (pressed_for < DEBOUNCED)
            pressed_for++;
#ifdef BUG
        if (stop && !start)
#else
        if (stop)
#endif
            running = 0;
        else if (pressed_for == DEBOUNCED)
            running = 1;
        HAL_GPIO_WritePin(OUTPUTS, MOTOR, running ? GPIO_PIN_SET : GPIO_PIN_RESET);
        assert(!(running && stop));
        assert(pressed_for <= DEBOUNCED);
        __disable_irq();
        uint32_t ticks = HAL_GetTick();
        __enable_irq();
        if (ticks % 100 == 0)
            __DSB();
        __WFI();
    }
}
